import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import { joined } from './joined.ts'
import { type JsonExcess, type JsonLimits, JsonScan } from './jsonScan.ts'

/** How much of a refused body is read and dropped, so that its caller comes to read the answer. */
export const DISCARDED_BODY_BYTES_MAX = 64 * 1024 * 1024
export const DISCARDED_BODY_MS = 5_000
export const MULTIPART_OVERHEAD_BYTES_MAX = 64 * 1024

export type BodyFault = 'too large' | 'encoded' | 'aborted' | JsonExcess

/** What a JSON body may contain. Bodies of up to `unscannedBytesMax` are not checked here, for the sake of their speed. */
export type ScannedJson = JsonLimits & { readonly unscannedBytesMax?: number }

/**
 * The whole body, or why it cannot be had. Never buffers more than the limit; JSON that exceeds its limits is refused at
 * the byte that does, before the rest has arrived.
 */
export function readBody(request: IncomingMessage, bytesMax: number, json?: ScannedJson): Promise<Buffer | BodyFault> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return Promise.resolve('encoded')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve('too large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const scan = json && scanFrom(json)
    let bytes = 0
    let fault: BodyFault | null = null
    request.on('data', (chunk: Buffer) => {
      if (fault !== null) return
      bytes += chunk.length
      chunks.push(chunk)
      fault = bytes > bytesMax ? 'too large' : (scan?.(chunks, bytes) ?? null)
      if (fault === null) return
      chunks.length = 0
      resolve(fault)
    })
    request.on('end', () => {
      if (fault === null) resolve(joined(chunks))
    })
    request.on('error', () => resolve('aborted'))
    request.on('close', () => resolve('aborted'))
  })
}

/** Scans each chunk once, and none before the body is too large to stay unscanned. */
function scanFrom({ unscannedBytesMax = 0, ...limits }: ScannedJson) {
  const scan = new JsonScan(limits)
  let scanned = 0
  return (chunks: readonly Buffer[], bytes: number): JsonExcess | null => {
    if (bytes <= unscannedBytesMax) return null
    let excess: JsonExcess | null = null
    while (excess === null && scanned < chunks.length) excess = scan.push(chunks[scanned++] as Buffer)
    return excess
  }
}

/**
 * Reads and drops the rest of a body that is not needed, within limits. Returns false if the caller went on sending for
 * too long; its connection should then be closed.
 */
export function discardBody(request: IncomingMessage, clock: Clock): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(true)
  return new Promise((resolve) => {
    let bytes = 0
    const timer = clock.after(DISCARDED_BODY_MS, () => settle(false))
    const settle = (passed: boolean) => {
      timer.cancel()
      request.removeListener('data', onData)
      resolve(passed)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > DISCARDED_BODY_BYTES_MAX) settle(false)
    }
    request.on('data', onData)
    request.once('end', () => settle(true))
    request.once('close', () => settle(true))
    request.resume()
  })
}
