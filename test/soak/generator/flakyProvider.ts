import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { seededRandom } from '../../support/cases/seededRandom.ts'

export type FlakyProvider = {
  readonly port: number
  readonly counts: { answered: number; failed: number }
  /** Closes its port and cuts calls in flight. */
  die(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

type Asked = { readonly input?: readonly string[] }

/** A model provider that fails a share of the calls, some at once and some half-way through their answer. */
export async function startFlakyProvider(failureShare: number): Promise<FlakyProvider> {
  const random = seededRandom(7)
  const counts = { answered: 0, failed: 0 }
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = JSON.stringify(answerTo(JSON.parse(Buffer.concat(chunks).toString()) as Asked))
    if (random.next() < failureShare) {
      counts.failed++
      if (random.next() < 0.5) {
        response
          .writeHead(500, { 'content-type': 'application/json' })
          .end('{"error":{"message":"it fails now and then"}}')
      } else {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
        response.write(body.slice(0, body.length / 2), () => response.destroy())
      }
      return
    }
    counts.answered++
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const die = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return { port, counts, die, comeBack: () => listen(port), close: die }
}

function answerTo({ input }: Asked): object {
  if (input) {
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
    return { object: 'list', data, usage: { prompt_tokens: 9, total_tokens: 9 } }
  }
  const content = JSON.stringify({ adjustment: 3, reason: 'Experience that carries over.' })
  const usage = { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102 }
  return { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage }
}

/** A meaningless vector of length one, which shuffles the order of the queue. */
function vectorOf(text: string): number[] {
  const random = seededRandom([...text].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0))
  const numbers = Array.from({ length: 16 }, () => random.next() - 0.5)
  const length = Math.hypot(...numbers)
  return numbers.map((number) => number / length)
}
