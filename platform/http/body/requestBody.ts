import type { IncomingMessage } from 'node:http'
import type { Timer } from '../../clock/clock.ts'
import type { HttpError } from '../answer/httpError.ts'
import type { RequestPlace } from '../limits/requestPlaces.ts'
import { areTooSmall, BodyChunks } from './bodyChunks.ts'
import { type JsonExcess, type JsonLimits, JsonScan } from './jsonScan.ts'

export const MULTIPART_OVERHEAD_BYTES_MAX = 64 * 1024
/** This much of a body is covered by the place of its request; anything beyond is counted. */
export const UNCOUNTED_BODY_BYTES = 16 * 1024

export type BodyFault = 'too large' | 'encoded' | 'aborted' | 'slow' | 'too many chunks' | JsonExcess

/** What a JSON body may contain. Bodies of up to `unscannedBytesMax` are not checked here, for speed. */
export type ScannedJson = JsonLimits & { readonly unscannedBytesMax?: number }

/**
 * The whole body, or why it cannot be read. Keeps only what has arrived, and never more than the limit; JSON is refused
 * at the byte that exceeds a limit, before the rest has arrived. Rejects with the refusal if the bodies in flight leave
 * no room for this one. If it stops early, the request is paused.
 */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  place: RequestPlace,
  json?: ScannedJson,
): Promise<Buffer | BodyFault> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return Promise.resolve('encoded')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve('too large')
  return new Promise((resolve, reject) => {
    const chunks = new BodyChunks()
    const scan = json && scanFrom(json, chunks)
    let bytes = 0
    let count = 0
    // A body that came together with its head needs no deadline.
    const deadline = request.complete
      ? null
      : untilDeadline(
          place,
          () => bytes,
          () => stop(() => resolve('slow')),
        )
    const settled = () => {
      deadline?.cancel()
      place.whenEvicted(null)
    }
    const stop = (settle: () => void) => {
      settled()
      request.removeListener('data', onData)
      request.pause()
      settle()
    }
    const onData = (chunk: Buffer) => {
      const before = bytes
      bytes += chunk.length
      count++
      if (areTooSmall(count, bytes)) return stop(() => resolve('too many chunks'))
      const fault = bytes > bytesMax ? 'too large' : scan?.(chunk, bytes)
      if (fault) return stop(() => resolve(fault))
      if (bytes > UNCOUNTED_BODY_BYTES) {
        try {
          place.keep(before > UNCOUNTED_BODY_BYTES ? chunk.length : bytes)
        } catch (refusal) {
          return stop(() => reject(refusal))
        }
      }
      chunks.add(chunk)
    }
    if (deadline) place.whenEvicted((refusal: HttpError) => stop(() => reject(refusal)))
    request.on('data', onData)
    request.on('end', () => {
      settled()
      resolve(chunks.whole())
    })
    const aborted = () => {
      settled()
      resolve('aborted')
    }
    request.on('error', aborted)
    request.on('close', aborted)
  })
}

/** Scans each byte once, and none until the body is too large to go unscanned. */
function scanFrom({ unscannedBytesMax = 0, ...limits }: ScannedJson, before: BodyChunks) {
  let scan: JsonScan | null = null
  return (chunk: Buffer, bytes: number): JsonExcess | null => {
    if (bytes <= unscannedBytesMax) return null
    if (scan === null) {
      scan = new JsonScan(limits)
      for (const earlier of before.pieces()) {
        const excess = scan.push(earlier)
        if (excess !== null) return excess
      }
    }
    return scan.push(chunk)
  }
}

/** Calls back when the body has taken longer than its place allows for the bytes received so far. */
function untilDeadline(place: RequestPlace, arrived: () => number, late: () => void): Timer {
  const { clock } = place
  const beganMs = clock.monotonicMs()
  const check = () => {
    const leftMs = beganMs + place.bodyMsMax(arrived()) - clock.monotonicMs()
    if (leftMs <= 0) late()
    else timer = clock.after(Math.ceil(leftMs), check)
  }
  let timer = clock.after(place.bodyMsMax(0), check)
  return { cancel: () => timer.cancel() }
}
