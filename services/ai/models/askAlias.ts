import { randomUUID } from 'node:crypto'
import type { ModelAlias } from '../../../contracts/aliases.ts'
import {
  PROVIDER_ANSWER_BYTES_MAX,
  PROVIDER_REFUSAL_BYTES_MAX,
  PROVIDER_REFUSAL_MS,
  type ProviderAnswer,
} from '../../platform/providers/answerReceiver.ts'
import type { ProviderClient } from '../../platform/providers/providerClient.ts'
import type { Provider, ProviderTable } from '../../platform/providers/providersFile.ts'
import { ModelFailure } from './modelFailure.ts'

/** Only these say that the question itself was wrong; another provider would refuse it too. */
const OUR_FAULT = new Set([400, 413, 415, 422])

export type AliasQuestion = {
  readonly alias: ModelAlias
  readonly path: string
  body(model: string): object
}

/** The answer of the first provider of the alias that gives a whole one, as JSON. */
export async function askAlias(
  client: Pick<ProviderClient, 'send'>,
  table: ProviderTable,
  { alias, path, body }: AliasQuestion,
): Promise<unknown> {
  const entry = table[alias]
  if (!entry) throw new ModelFailure('unreachable', `nobody answers for ${alias}`)
  const callId = randomUUID()
  let last: ModelFailure | null = null
  for (const provider of entry.providers) {
    const sent = client.send(provider, { path, body: Buffer.from(JSON.stringify(body(provider.model))), callId })
    try {
      return await wholeAnswer(await sent.answered, provider)
    } catch (error) {
      if (error instanceof ModelFailure && error.reason === 'refused') throw error
      last = new ModelFailure('unreachable', (error as Error).message, null, error)
    }
  }
  throw last ?? new ModelFailure('unreachable', `nobody answers for ${alias}`)
}

async function wholeAnswer({ status, body }: ProviderAnswer, { name }: Provider): Promise<unknown> {
  if (status !== 200) {
    const text = (await body.beginning(PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS)).toString()
    const reason = OUR_FAULT.has(status) ? 'refused' : 'unreachable'
    throw new ModelFailure(reason, `provider ${name} answered ${status}: ${text.slice(0, 200)}`)
  }
  const bytes = await body.whole(PROVIDER_ANSWER_BYTES_MAX)
  if (bytes === null) throw new ModelFailure('unreachable', `provider ${name} sent too much`)
  return JSON.parse(bytes.toString())
}
