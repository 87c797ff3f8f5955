import {
  PROVIDER_ANSWER_BYTES_MAX,
  PROVIDER_REFUSAL_BYTES_MAX,
  PROVIDER_REFUSAL_MS,
  type ProviderAnswer,
} from '../../../capabilities/providers/answerReceiver.ts'
import type { ProviderClient } from '../../../capabilities/providers/providerClient.ts'
import { providersInOrder } from '../../../capabilities/providers/providerOrder.ts'
import { type Provider, type ProviderTable, routeOf } from '../../../capabilities/providers/providersFile.ts'
import { ProviderUnreachable } from '../../../capabilities/providers/providerUnreachable.ts'
import { speaks } from '../../../capabilities/providers/wires.ts'
import { jsonExcess } from '../../../platform/http/body/jsonScan.ts'
import { inSpan } from '../../../platform/tracing/activeSpan.ts'
import type { Tracing } from '../../../platform/tracing/port.ts'
import { ModelFailure } from './modelFailure.ts'
import { usedOf } from './modelUsage.ts'

/** Statuses that mean the request itself is wrong, so another provider would refuse it too. */
const REQUEST_FAULTS = new Set([400, 413, 415, 422])

/** Vectors of a hundred texts have 300,000 values. More, or many members, would stop the event loop while it is parsed. */
const ANSWER_JSON_LIMITS = { valuesMax: 500_000, membersMax: 20_000 }

const PATH_OF = { chat: '/chat/completions', embeddings: '/embeddings' } as const

export type AliasCall = {
  readonly callId: string
  readonly alias: string
  readonly wire: keyof typeof PATH_OF
  readonly tracing: Tracing | null
  body(model: string): object
  /** A provider answered with an error that is not the fault of the request. */
  refused(provider: string, status: number): void
  /** Of a provider's error text, which is stored and logged. */
  withoutSecrets(text: string): string
}

/** Tries the providers of the alias in order and returns the first complete answer, parsed as JSON. */
export async function askAlias(
  client: Pick<ProviderClient, 'send'>,
  table: ProviderTable,
  { callId, alias, wire, tracing, body, refused, withoutSecrets }: AliasCall,
): Promise<unknown> {
  const entry = routeOf(table, alias)
  if (!entry) throw noRoute(alias)
  let last: ModelFailure | null = null
  for (const provider of providersInOrder(entry, wire, callId)) {
    if (!speaks(provider, wire)) continue
    const ask = async () => {
      const sent = client.send(provider, {
        path: PATH_OF[wire],
        body: Buffer.from(JSON.stringify(body(provider.model))),
        callId,
      })
      const answer = await sent.answered
      if (answer.status !== 200 && !REQUEST_FAULTS.has(answer.status)) refused(provider.name, answer.status)
      return wholeAnswer(answer, provider, withoutSecrets)
    }
    try {
      return await inTrace(tracing, provider, wire, ask)
    } catch (error) {
      if (error instanceof ModelFailure && error.reason === 'refused') throw error
      const isResting = error instanceof ProviderUnreachable && error.reason === 'provider_resting'
      if (isResting) last ??= new ModelFailure('resting', error.message, error.retryAfterMs, error)
      else last = new ModelFailure('unreachable', withoutSecrets((error as Error).message), null, error)
    }
  }
  throw last ?? new ModelFailure('unreachable', `no provider of ${alias} has ${wire} among its wires`)
}

/** The span of one provider, by the GenAI conventions. The provider does not get the trace. */
function inTrace(
  tracing: Tracing | null,
  { name, model, baseUrl }: Provider,
  wire: AliasCall['wire'],
  ask: () => Promise<unknown>,
): Promise<unknown> {
  if (tracing === null) return ask()
  const attributes = {
    'gen_ai.operation.name': wire,
    'gen_ai.provider.name': name,
    'gen_ai.request.model': model,
    'server.address': new URL(baseUrl).hostname,
  }
  return inSpan(tracing, `${wire} ${model}`, { kind: 'client', attributes }, async (span) => {
    const answer = await ask()
    const { tokensIn, tokensOut } = usedOf(answer)
    span?.set({ 'gen_ai.usage.input_tokens': tokensIn, 'gen_ai.usage.output_tokens': tokensOut })
    return answer
  })
}

function noRoute(alias: string): ModelFailure {
  return new ModelFailure('unreachable', `the AI service calls ${alias}, but PROVIDERS_FILE names no provider for it`)
}

async function wholeAnswer(
  { status, body }: ProviderAnswer,
  { name }: Provider,
  withoutSecrets: AliasCall['withoutSecrets'],
): Promise<unknown> {
  if (status !== 200) {
    const text = (await body.beginning(PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS)).toString()
    const reason = REQUEST_FAULTS.has(status) ? 'refused' : 'unreachable'
    throw new ModelFailure(reason, `provider ${name} answered ${status}: ${withoutSecrets(text).slice(0, 200)}`)
  }
  const bytes = await body.whole(PROVIDER_ANSWER_BYTES_MAX)
  if (bytes === null)
    throw new ModelFailure(
      'unreachable',
      `the answer of provider ${name} is larger than ${PROVIDER_ANSWER_BYTES_MAX} bytes`,
    )
  const excess = jsonExcess(bytes, ANSWER_JSON_LIMITS)
  if (excess !== null) {
    throw new ModelFailure('unreachable', `the JSON answer of provider ${name} exceeds a limit: ${excess}`)
  }
  return JSON.parse(bytes.toString())
}
