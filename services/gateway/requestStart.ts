import type { ServerResponse } from 'node:http'

const BEGAN = Symbol('began at')
type Response = ServerResponse & { [BEGAN]?: number }

/** Keeps, with the response, when the head of its request had been read. The time is of the monotonic clock. */
export function markBegan(response: Response, ms: number): void {
  response[BEGAN] = ms
}

export function beganAtMs(response: Response): number {
  const ms = response[BEGAN]
  if (ms === undefined) throw new Error('the beginning of the request was not marked')
  return ms
}
