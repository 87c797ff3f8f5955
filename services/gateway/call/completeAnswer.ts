import type { ServerResponse } from 'node:http'
import { PROVIDER_ANSWER_BYTES_MAX } from '../../../capabilities/providers/answerReceiver.ts'
import { JSON_TYPE } from '../../../platform/http/answer/answers.ts'
import { parseJson } from '../../../platform/http/body/parseJson.ts'
import { setAnswerHeader } from '../answerHeaders.ts'
import { SMALL_JSON_BYTES_MAX } from '../largeJson/largeJson.ts'
import type { Caller } from '../requestContext.ts'
import { type Disguise, withModelAlias } from '../wire/answers/answerModel.ts'
import type { AnswerFacts } from '../wire/answers/providerAnswer.ts'
import type { ProviderFault } from '../wire/answers/providerFault.ts'
import type { ReportedUsage } from '../wire/usage/usageShape.ts'
import { AnswerRoom } from './answerRoom.ts'
import type { Answered } from './askProviders.ts'
import type { BegunCall } from './beginCall.ts'
import { whenCallerLeaves } from './drain.ts'
import type { LateReads } from './lateReads.ts'
import { answerFailed } from './providerFailure.ts'

/** A caller can cause these after the provider has done the work, so they count as abandoned. */
export const COUNTED_AS_ABANDONED: ReadonlySet<string> = new Set(['client_left', 'provider_too_large', 'answer_unread'])

/** What is found in an answer, and what else was made of it. */
type ReadAnswer<Found> = { readonly read: AnswerFacts } & Found

type DrainedAs = { readonly drain: LateReads | null; readonly disguise?: Disguise }

/**
 * Reads an answer in one piece to its end, with the usage for the charge. A complete answer is charged even if the caller
 * has disconnected. Calls `failed` with the reason, for the call's record, before it throws.
 */
export async function completeAnswer<Found>(
  { sent, answer, disguise, drain }: Pick<Answered, 'sent' | 'answer'> & DrainedAs,
  caller: Caller,
  failed: (reason: string) => void,
  readBytes: (bytes: Buffer) => ReadAnswer<Found> | Promise<ReadAnswer<Found>>,
  bytesMax = PROVIDER_ANSWER_BYTES_MAX,
): Promise<Found & { readonly usage: ReportedUsage }> {
  const watch = whenCallerLeaves(caller, drain, () => sent.giveUp())
  const fail = (reason: string, fault?: ProviderFault | null) => {
    failed(reason)
    return answerFailed(reason, fault, disguise?.redaction)
  }
  const bytes = await answer.body.whole(bytesMax).catch(() => undefined)
  watch.end()
  if (bytes === undefined) throw fail(sent.givenUp ? 'client_left' : 'provider_cut')
  if (bytes === null) throw fail('provider_too_large')
  const reading = readBytes(bytes)
  // Small answers are read at once. A thread that reads a large one may fail.
  const found = reading instanceof Promise ? await reading.catch(() => null) : reading
  if (found === null) throw fail('answer_unread')
  const { usage, isError, fault } = found.read
  if (isError) throw fail('provider_error', fault)
  if (!usage) throw fail('no_usage')
  return { ...found, usage }
}

function disguisedAnswer({ wire, disguise, companyId, largeJson }: BegunCall) {
  return (bytes: Buffer) =>
    bytes.length > SMALL_JSON_BYTES_MAX
      ? largeJson.readAnswer(wire.name, bytes, disguise, companyId)
      : { read: wire.readAnswer(parseJson(bytes)), bytes: withModelAlias(bytes, disguise) }
}

/** Reads an answer in one piece to its end and charges it. Only then may it be sent. */
export async function chargedAnswer(begun: BegunCall, response: ServerResponse, bytesMax?: number) {
  const { record, request, answerGrowth, companyId } = begun
  const room = new AnswerRoom(answerGrowth, companyId, request.bodyBytes)
  try {
    const { bytes, usage } = await completeAnswer(
      begun,
      response,
      (reason) => (COUNTED_AS_ABANDONED.has(reason) ? record.failUnread(reason, request) : record.fail(reason)),
      disguisedAnswer(begun),
      bytesMax ?? room.wholeMax(PROVIDER_ANSWER_BYTES_MAX),
    )
    // The answer was parsed as JSON, so it is sent as JSON, whatever type and parameters the provider gave it.
    const contentType = JSON_TYPE
    setAnswerHeader(response, 'x-credits-charged', await record.charge(usage, () => ({ contentType, bytes })))
    return { contentType, bytes }
  } finally {
    room.release()
  }
}
