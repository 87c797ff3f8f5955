import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedMessage = {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

type Answer = (response: ServerResponse) => void

export const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end()

/** Keeps the connection open until the sender ends it. */
export const neverAnswering: Answer = () => {}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** A server that receives webhooks. Each path answers 204 until a test says otherwise. */
export async function startWebhookReceiver() {
  const received: ReceivedMessage[] = []
  const answers = new Map<string, Answer>()
  const server = createServer(async (request: IncomingMessage, response) => {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    received.push({ path, headers, body: Buffer.concat(chunks).toString() })
    const answer = answers.get(path) ?? answering(204)
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** The messages that arrived at a path, in order. */
    at: (path: string) => received.filter((message) => message.path === path),
    answer: (path: string, answer: Answer) => {
      answers.set(path, answer)
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
