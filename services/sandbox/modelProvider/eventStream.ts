import type { ServerResponse } from 'node:http'
import { markEventStream } from '../../../platform/http/halfClosed.ts'

export type EventStream = {
  /** Resolves when the caller can take more; does nothing after it has disconnected. */
  send(chunk: object): Promise<void>
  /** The same with events that are bytes already. */
  write(events: string | Buffer): Promise<void>
  end(): void
}

type Naming = { readonly namesEvents?: true }

/** With the type of the chunk as the name of the event, if the API has names. */
export function sseEvent(chunk: object & { readonly type?: unknown }, { namesEvents }: Naming): string {
  const name = namesEvents ? `event: ${chunk.type}\n` : ''
  return `${name}data: ${JSON.stringify(chunk)}\n\n`
}

/** Server-sent events, one per chunk; without names, `[DONE]` is the last. */
export function openEventStream(response: ServerResponse, naming: Naming): EventStream {
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
    send: (chunk) => (response.destroyed ? Promise.resolve() : write(sseEvent(chunk, naming))),
    write,
    end: () => void response.end(naming.namesEvents ? '' : 'data: [DONE]\n\n'),
  }
}
