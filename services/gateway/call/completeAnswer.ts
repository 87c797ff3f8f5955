import type { ServerResponse } from 'node:http'
import { JSON_TYPE } from '../../platform/http/answers.ts'
import { parseJson } from '../../platform/http/parseJson.ts'
import { PROVIDER_ANSWER_BYTES_MAX } from '../../platform/providers/answerReceiver.ts'
import { setAnswerHeader } from '../answerHeaders.ts'
import { withModelAlias } from '../wire/answerModel.ts'
import { readUsage, type Usage } from '../wire/usage.ts'
import { abandonedTokens } from './abandonedStreams.ts'
import type { Answered } from './askProviders.ts'
import type { BegunCall } from './beginCall.ts'
import type { Caller } from './caller.ts'
import { answerFailed } from './providerFailure.ts'

export type CompleteAnswer = { readonly bytes: Buffer; readonly json: unknown; readonly usage: Usage }

/**
 * Reads an answer in one piece to its end, with the usage for the charge. A complete answer is charged even if the caller
 * has disconnected. Calls `failed` with the reason, for the call's record, before it throws.
 */
export async function completeAnswer(
  { sent, answer }: Pick<Answered, 'sent' | 'answer'>,
  caller: Caller,
  failed: (reason: string) => void,
): Promise<CompleteAnswer> {
  const clientLeft = () => sent.giveUp()
  caller.once('close', clientLeft)
  const fail = (reason: string) => {
    failed(reason)
    return answerFailed(reason)
  }
  const bytes = await answer.body.whole(PROVIDER_ANSWER_BYTES_MAX).catch(() => undefined)
  caller.removeListener('close', clientLeft)
  if (bytes === undefined) throw fail(sent.givenUp ? 'client_left' : 'provider_cut')
  if (bytes === null) throw fail('provider_too_large')
  const json = parseJson(bytes)
  if (reportsError(json)) throw fail('provider_error')
  const usage = readUsage(json)
  if (!usage) throw fail('no_usage')
  return { bytes, json, usage }
}

/** Some providers report an error with status 200, as they do within a stream. */
function reportsError(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('error' in json)) return false
  return typeof json.error === 'object' ? json.error !== null : typeof json.error === 'string' && json.error !== ''
}

/** Reads an answer in one piece to its end and charges it. Only then may it be sent. */
export async function chargedAnswer(begun: BegunCall, response: ServerResponse) {
  const { record, request, disguise } = begun
  const { bytes: sent, usage } = await completeAnswer(begun, response, (reason) =>
    record.fail(reason, reason === 'client_left' ? abandonedTokens(request, 0) : null),
  )
  // The answer was parsed as JSON, so it is sent as JSON, whatever type and parameters the provider gave it.
  const contentType = JSON_TYPE
  const bytes = withModelAlias(sent, disguise)
  setAnswerHeader(response, 'x-credits-charged', await record.charge(usage, () => ({ contentType, bytes })))
  return { contentType, bytes }
}
