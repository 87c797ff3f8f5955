import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import { joined } from './joined.ts'

/** How much of a refused body is read and dropped, so that its caller comes to read the answer. */
export const DISCARDED_BODY_BYTES_MAX = 64 * 1024 * 1024
export const DISCARDED_BODY_MS = 5_000
export const MULTIPART_OVERHEAD_BYTES_MAX = 64 * 1024

export type BodyFault = 'too large' | 'encoded' | 'aborted'

/** The whole body, or why it cannot be had. Never buffers more than the limit. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | BodyFault> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return Promise.resolve('encoded')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve('too large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= bytesMax) {
        chunks.push(chunk)
      } else {
        chunks.length = 0
        resolve('too large')
      }
    })
    request.on('end', () => {
      if (bytes <= bytesMax) resolve(joined(chunks))
    })
    request.on('error', () => resolve('aborted'))
    request.on('close', () => resolve('aborted'))
  })
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
