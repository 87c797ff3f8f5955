import type { ServerResponse } from 'node:http'
import { markEventStream } from '../../platform/http/halfClosed.ts'

export type EventStream = {
  /** Resolves when the caller can take more; does nothing after it has disconnected. */
  send(chunk: object): Promise<void>
  /** The same with events that are bytes already. */
  write(events: string | Buffer): Promise<void>
  end(): void
}

export function sseEvent(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

/** Server-sent events, one per chunk, with `[DONE]` at the end. */
export function openEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  markEventStream(response)
  const write = (events: string | Buffer): Promise<void> => {
    if (response.destroyed || response.write(events)) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        response.removeListener('drain', settle)
        response.removeListener('close', settle)
        resolve()
      }
      response.once('drain', settle)
      response.once('close', settle)
    })
  }
  return {
    send: (chunk) => (response.destroyed ? Promise.resolve() : write(sseEvent(chunk))),
    write,
    end: () => void response.end('data: [DONE]\n\n'),
  }
}
