import http from 'node:http'
import { HostPauses } from './hostPauses.ts'

const CALL_MS_MAX = 10_000
const TICK_MS = 5

export type Request = {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How many a second, whether or not earlier ones have ended. */
  readonly perSecond: number
}

/** The results of one kind of request in one period. */
export type Stretch = {
  readonly latenciesMs: readonly number[]
  readonly failures: readonly string[]
  /** Calls that say nothing, because the host gave the processor to others meanwhile. */
  readonly disturbed: number
}

/** Sends every kind of request at its rate for this long, and waits for the last answer. */
export async function loadFor(ms: number, requests: readonly Request[]): Promise<Map<string, Stretch>> {
  using pauses = new HostPauses()
  const results = await Promise.all(
    requests.map(async (request) => [request.name, await steadily(ms, request, pauses)] as const),
  )
  return new Map(results)
}

type Call = { readonly sentMs: number; readonly endedMs: number; readonly failure: string | null }

async function steadily(ms: number, request: Request, pauses: HostPauses): Promise<Stretch> {
  const calls: Call[] = []
  const agent = new http.Agent({ keepAlive: true })
  const running: Promise<void>[] = []
  const beganMs = performance.now()
  await new Promise<void>((resolve) => {
    let sent = 0
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - beganMs
      if (elapsedMs > ms) {
        clearInterval(timer)
        return resolve()
      }
      for (; sent < (elapsedMs * request.perSecond) / 1_000; sent++) running.push(one())
    }, TICK_MS)
  })
  await Promise.all(running)
  agent.destroy()
  const judged = calls.filter(({ sentMs, endedMs }) => !pauses.meet(sentMs, endedMs))
  return {
    latenciesMs: judged.filter(({ failure }) => failure === null).map(({ sentMs, endedMs }) => endedMs - sentMs),
    failures: judged.flatMap(({ failure }) => failure ?? []),
    disturbed: calls.length - judged.length,
  }

  async function one(): Promise<void> {
    const sentMs = performance.now()
    const failure = await answerTo(request, agent)
    calls.push({ sentMs, endedMs: performance.now(), failure })
  }
}

/** null if it was answered with 200 and without errors, otherwise what happened. */
function answerTo({ url, headers, body }: Request, agent: http.Agent): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { method: 'POST', agent, localAddress: '127.0.0.1', headers, timeout: CALL_MS_MAX }
    const request = http.request(url, options, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.once('end', () =>
        resolve(
          response.statusCode === 200 && !text.includes('"errors"')
            ? null
            : `${response.statusCode} ${text.slice(0, 200)}`,
        ),
      )
      response.once('error', (error) => resolve(error.message))
    })
    request.once('timeout', () => request.destroy(new Error(`no answer within ${CALL_MS_MAX} ms`)))
    request.once('error', (error) => resolve(error.message))
    request.end(body)
  })
}
