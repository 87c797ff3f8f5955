import { Agent } from 'undici'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'

const ANSWER_MS_MAX = 40_000

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export type Question = {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came back for a query of GraphQL. */
export type Result = {
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of what it asked for.
  readonly data: any
  /** Of the first error. */
  readonly code: string | undefined
  readonly message: string | undefined
}

/** The answer was cut off or never came, so the outcome of the request is unknown. */
export class Unanswered extends Error {}

/** HTTP of a program or a browser outside of the installation. */
export class Client {
  readonly #agent: Agent

  constructor({ network }: Simulation, owner: SimulatedProcess) {
    const { connect } = network.of(owner)
    this.#agent = new Agent({ connect, headersTimeout: ANSWER_MS_MAX, bodyTimeout: ANSWER_MS_MAX })
  }

  async send(url: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Answer> {
    const { origin, pathname, search } = new URL(url)
    try {
      const path = pathname + search
      const answer = await this.#agent.request({ origin, path, method, headers, ...(body !== undefined && { body }) })
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    } catch (error) {
      throw new Unanswered(String(error))
    }
  }

  /** Asks a backend. Throws if no answer came, also if the answer says that a part of the installation is away. */
  async ask(query: string, variables: object, token: string | null = null): Promise<Result> {
    const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) }
    const body = JSON.stringify({ query, variables })
    const { status, text } = await this.send('http://backend/graphql', { method: 'POST', headers, body })
    if (status !== 200) throw new Unanswered(`${status} ${text}`)
    const { data, errors } = JSON.parse(text) as {
      data: unknown
      errors?: { message: string; extensions?: { code?: string } }[]
    }
    const [error] = errors ?? []
    return { data, code: error && (error.extensions?.code ?? 'NONE'), message: error?.message }
  }
}
