import { parseJson } from '../../platform/http/parseJson.ts'
import { PROVIDER_ANSWER_BYTES_MAX } from '../../platform/providers/answerReceiver.ts'
import { readUsage, type Usage } from '../wire/usage.ts'
import type { Answered } from './askProviders.ts'
import { type Caller, offLeave, onLeave } from './caller.ts'
import { unavailable } from './providerFailure.ts'

export type CompleteAnswer = { readonly bytes: Buffer; readonly json: unknown; readonly usage: Usage }

/**
 * An answer in one piece, read to its end, with the usage that a charge rests on: from then on it is charged, whether the
 * caller still waits or not. Whatever it lacks is told as a reason, for the call's record, before the error is thrown.
 */
export async function completeAnswer(
  { sent, answer }: Pick<Answered, 'sent' | 'answer'>,
  caller: Caller,
  failed: (reason: string) => void,
): Promise<CompleteAnswer> {
  const clientLeft = () => sent.giveUp()
  onLeave(caller, clientLeft)
  const bytes = await answer.body.whole(PROVIDER_ANSWER_BYTES_MAX).catch(() => null)
  offLeave(caller, clientLeft)
  if (bytes === null) {
    failed(sent.givenUp ? 'client_left' : 'provider_cut')
    throw unavailable()
  }
  const json = parseJson(bytes)
  const usage = readUsage(json)
  if (!usage) {
    failed('no_usage')
    throw unavailable()
  }
  return { bytes, json, usage }
}
