import { PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS } from '../../../capabilities/providers/answerReceiver.ts'
import { ProviderClient } from '../../../capabilities/providers/providerClient.ts'
import { type Provider, type ProviderTable, routeOf } from '../../../capabilities/providers/providersFile.ts'
import { speaks, type WireName } from '../../../capabilities/providers/wires.ts'
import type { Redaction } from '../../../capabilities/redaction/redaction.ts'
import {
  TRIAL_CALL_MS_MAX,
  type TrialCall,
  type TrialCallResult,
} from '../../../capabilities/trialCalls/trialCallTable.ts'
import { providerCostMicros } from '../../../domain/pricing/providerCost.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { parseJson } from '../../../platform/http/body/parseJson.ts'
import { usedAs } from '../wire/usage/usageShape.ts'
import { wireFormat } from '../wire/wireFormats.ts'
import { statusFault } from './trialFaults.ts'
import { otherTrialQuestion, trialHeaders, trialQuestion } from './trialQuestion.ts'

/** The answer to a question of one word. A vector of an embedding takes the most. */
const TRIAL_ANSWER_BYTES_MAX = 1024 * 1024

export type TrialCallParts = {
  readonly clock: Clock
  /** The table in force. */
  readonly table: ProviderTable
  readonly redaction: Pick<Redaction, 'withoutSecrets'>
}

const NO_ANSWER: TrialCallResult = {
  ...{ status: null, firstByteMs: null, totalMs: 0, tokensIn: null, tokensOut: null },
  ...{ costMicros: null, costCurrency: null, error: null },
}

/**
 * Makes a trial call through one provider of an alias. It has a connection and a circuit breaker of its own: it reaches a
 * provider whose breaker is open, and what it finds changes nothing for the calls of companies.
 */
export async function makeTrialCall(call: TrialCall, parts: TrialCallParts): Promise<TrialCallResult> {
  const { alias, provider: name, wire } = call
  const named = routeOf(parts.table, alias)?.providers.filter((each) => each.name === name) ?? []
  const provider = named.find((each) => speaks(each, wire))
  if (!provider) {
    const lack = named.length === 0 ? `has no provider ${name} for ${alias}` : `has no API ${wire} for ${name}`
    return {
      ...NO_ANSWER,
      error: `The gateway that took the trial call ${lack}. PROVIDERS_FILE may have just changed.`,
    }
  }
  const client = new ProviderClient({ clock: parts.clock })
  const deadlineMs = parts.clock.monotonicMs() + TRIAL_CALL_MS_MAX
  try {
    const first = await ask(client, provider, call, { body: trialQuestion(wire, provider.model), deadlineMs }, parts)
    const other = first.status === 400 ? otherTrialQuestion(wire, provider.model, first.error ?? '') : null
    return other === null ? first : await ask(client, provider, call, { body: other, deadlineMs }, parts)
  } finally {
    await client.close()
  }
}

/** `deadlineMs`: of both questions together, because the backend does not wait longer. */
type Question = { readonly body: Buffer; readonly deadlineMs: number }

async function ask(
  client: ProviderClient,
  provider: Provider,
  { callId, wire }: TrialCall,
  { body, deadlineMs }: Question,
  { clock, redaction }: TrialCallParts,
): Promise<TrialCallResult> {
  const { endpoint, keyHeader } = wireFormat(wire)
  const startedAtMs = clock.monotonicMs()
  const elapsedMs = () => clock.monotonicMs() - startedAtMs
  const sent = client.send(provider, { path: endpoint, body, callId, keyHeader, headers: trialHeaders(wire) })
  const timer = clock.after(Math.max(0, deadlineMs - startedAtMs), () => sent.giveUp())
  let begun: Pick<TrialCallResult, 'status' | 'firstByteMs'> = { status: null, firstByteMs: null }
  try {
    const answer = await sent.answered
    begun = { status: answer.status, firstByteMs: elapsedMs() }
    if (answer.status !== 200) {
      const text = (await answer.body.beginning(PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS)).toString()
      const error = statusFault(provider.name, answer.status, redaction.withoutSecrets(text))
      return { ...NO_ANSWER, ...begun, totalMs: elapsedMs(), error }
    }
    const bytes = await answer.body.whole(TRIAL_ANSWER_BYTES_MAX)
    return { ...NO_ANSWER, ...begun, totalMs: elapsedMs(), ...factsOf(provider, wire, bytes) }
  } catch (error) {
    const { message } = error as Error
    const why = sent.givenUp
      ? `Provider ${provider.name} did not complete its answer within ${TRIAL_CALL_MS_MAX / 1000} s.`
      : begun.status === null
        ? `${capital(redaction.withoutSecrets(message))}. Check baseUrl in PROVIDERS_FILE and the network.`
        : `The answer of provider ${provider.name} broke off: ${redaction.withoutSecrets(message)}.`
    return { ...NO_ANSWER, ...begun, totalMs: elapsedMs(), error: why }
  } finally {
    timer.cancel()
  }
}

/** What the gateway reads of an answer before it charges for it. `bytes`: null if there are too many. */
function factsOf(provider: Provider, wire: WireName, bytes: Buffer | null): Partial<TrialCallResult> {
  const { name, cost } = provider
  if (bytes === null) return { error: `The answer of provider ${name} is larger than ${TRIAL_ANSWER_BYTES_MAX} bytes.` }
  const json = parseJson(bytes)
  if (json === undefined)
    return { error: `The answer of provider ${name} is not JSON. Check baseUrl in PROVIDERS_FILE.` }
  const { usage, isError } = wireFormat(wire).readAnswer(json)
  if (isError)
    return { error: `Provider ${name} reported an error with status 200, so that calls of companies would fail.` }
  if (usage === null) return { error: `The answer of provider ${name} has no usage, so that no call could be charged.` }
  const used = usedAs(provider.usage, usage)
  const { tokensIn, tokensOut } = used
  const costMicros = cost ? providerCostMicros(cost, used) : null
  if (!cost || costMicros === null) return { tokensIn, tokensOut }
  return { tokensIn, tokensOut, costMicros: costMicros.toString(), costCurrency: cost.currency }
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
