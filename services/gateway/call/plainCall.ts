import { LIMITS } from '../../../contracts/limits.ts'
import { JSON_TYPE } from '../../platform/http/answers.ts'
import type { ProviderAnswer, SentCall } from '../../platform/providers/answerReceiver.ts'
import { withModelAlias } from '../wire/answerModel.ts'
import { readUsage } from '../wire/usage.ts'
import { type Caller, offLeave, onLeave } from './caller.ts'
import type { CallRecord } from './callRecord.ts'
import { unavailable } from './providerFailure.ts'

export type WholeAnswer = {
  readonly caller: Caller
  readonly headers: Record<string, string>
  readonly record: CallRecord
  readonly sent: SentCall
  readonly answer: ProviderAnswer
  readonly alias: string
}

const JSON_TYPE_OF_ANY = /^application\/json\b/i

/** An answer in one piece: read to its end and charged. Only then may it be sent. */
export async function chargedAnswer({ caller, headers, record, sent, answer, alias }: WholeAnswer) {
  const clientLeft = () => sent.giveUp()
  onLeave(caller, clientLeft)
  const body = await answer.body.whole(LIMITS.providerAnswerBytesMax).catch(() => null)
  // Complete: from now on it is charged, whether the caller still waits or not.
  offLeave(caller, clientLeft)
  if (body === null) {
    record.fail(sent.givenUp ? 'client_left' : 'provider_cut')
    throw unavailable()
  }
  const usage = usageOf(body)
  if (!usage) {
    record.fail('no_usage')
    throw unavailable()
  }
  headers['x-credits-charged'] = await record.charge(usage)
  // It was read as JSON, so that is what it is, whatever the provider calls it.
  const contentType = JSON_TYPE_OF_ANY.test(answer.contentType) ? answer.contentType : JSON_TYPE
  return { contentType, body: withModelAlias(body, alias) }
}

function usageOf(body: Buffer) {
  try {
    return readUsage(JSON.parse(body.toString()))
  } catch {
    return null
  }
}
