import type { IncomingMessage } from 'node:http'

export type BodyFault = 'too large' | 'encoded' | 'aborted'

/** The whole body, or why there is none. Never holds more than the limit. */
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
        request.pause()
        resolve('too large')
      }
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)))
    request.on('error', () => resolve('aborted'))
    request.on('close', () => resolve('aborted'))
  })
}
