import { JSON_TYPE } from '../../platform/http/answers.ts'
import { withModelAlias } from '../wire/answerModel.ts'
import type { BegunCall } from './beginCall.ts'
import type { Caller } from './caller.ts'
import { completeAnswer } from './completeAnswer.ts'

const JSON_TYPE_OF_ANY = /^application\/json\b/i

/** An answer in one piece: read to its end and charged. Only then may it be sent. */
export async function chargedAnswer(begun: BegunCall, caller: Caller, headers: Record<string, string>) {
  const { record, answer, alias } = begun
  const { bytes, usage } = await completeAnswer(begun, caller, (reason) => record.fail(reason))
  // It was read as JSON, so that is what it is, whatever the provider calls it.
  const contentType = JSON_TYPE_OF_ANY.test(answer.contentType) ? answer.contentType : JSON_TYPE
  const body = withModelAlias(bytes, alias)
  headers['x-credits-charged'] = await record.charge(usage, () => ({ contentType, bytes: body }))
  return { contentType, body }
}
