import { systemClock } from '../../platform/clock/clock.ts'
import type { Demo } from './lateInstallation.ts'

type Person = 'admin' | 'superAdmin'

/** Sends a GraphQL operation as a person of the demo, who signs in for it: the tokens of the start expire with the clock. */
export async function ask(
  demo: Demo,
  person: Person,
  query: string,
  variables: object = {},
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own answer.
): Promise<any> {
  const { [`${person}Email` as const]: email, [`${person}Password` as const]: password } = demo
  const login = 'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }'
  const { login: signedIn } = await post(demo, login, { email, password }, null)
  return post(demo, query, variables, signedIn.token)
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own answer.
async function post({ backendUrl }: Demo, query: string, variables: object, token: string | null): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${backendUrl}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await answer.json()) as { data?: unknown; errors?: readonly { message: string }[] }
  if (!data || errors) throw new Error(`${errors?.[0]?.message ?? `status ${answer.status}`} (${query.slice(0, 80)})`)
  return data
}

export type ModelCall = {
  readonly key: string
  readonly alias: string
  readonly label: string | null
  /** Roughly as many tokens. */
  readonly wordsIn: number
  readonly wordsOut: number
  /** The caller disconnects before the answer is complete. */
  readonly leaves: boolean
}

/** A busy machine may store nothing for a moment. */
const BUSY_RETRIES_MAX = 40
const BUSY_RETRY_MS = 500
/** A stream whose caller disconnects ends before this. */
const LEAVES_AFTER_MS = 150

/** Calls a model through the gateway. */
export async function callModel(demo: Demo, call: ModelCall): Promise<void> {
  if (call.leaves) return void (await send(demo, call, AbortSignal.timeout(LEAVES_AFTER_MS)).catch(() => {}))
  for (let attempt = 0; ; attempt++) {
    const { status, text } = await send(demo, call)
    if (status === 200) return
    if (status !== 503 || attempt === BUSY_RETRIES_MAX) {
      throw new Error(`a call of ${call.alias} was answered with ${status}: ${text}`)
    }
    await systemClock.delay(BUSY_RETRY_MS)
  }
}

async function send({ gatewayUrl }: Demo, call: ModelCall, signal?: AbortSignal) {
  const { key, alias, label } = call
  const isEmbedding = alias.includes('embed')
  const answer = await fetch(`${gatewayUrl}${isEmbedding ? '/embeddings' : '/chat/completions'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      ...(label !== null && { 'x-usage-label': label }),
    },
    body: JSON.stringify(isEmbedding ? embeddingBody(call) : chatBody(call)),
    ...(signal && { signal }),
  })
  return { status: answer.status, text: await answer.text() }
}

const WORDS = 'Summarise the profile of this candidate for the hiring team and name three questions to ask'.split(' ')
const wordsOf = (count: number) => Array.from({ length: count }, (_, n) => WORDS[n % WORDS.length]).join(' ')

function embeddingBody({ alias, wordsIn }: ModelCall): object {
  return { model: alias, input: wordsOf(wordsIn) }
}

function chatBody({ alias, wordsIn, wordsOut, leaves }: ModelCall): object {
  const wishes = leaves ? 'sandbox:delay=100 sandbox:words=50' : `sandbox:words=${wordsOut}`
  return { model: alias, stream: leaves, messages: [{ role: 'user', content: `${wordsOf(wordsIn)} ${wishes}` }] }
}
