import { LIMITS } from '../../../contracts/limits.ts'
import { sendBytes } from '../../platform/http/answers.ts'
import type { ProviderAnswer, SentCall } from '../../platform/providers/answerReceiver.ts'
import type { KeyedExchange } from '../exchange.ts'
import { withModelAlias } from '../wire/answerModel.ts'
import { readUsage } from '../wire/usage.ts'
import type { CallRecord } from './callRecord.ts'
import { unavailable } from './providerFailure.ts'

export type WholeAnswer = {
  readonly exchange: KeyedExchange
  readonly record: CallRecord
  readonly sent: SentCall
  readonly answer: ProviderAnswer
  readonly alias: string
}

/** An answer in one piece: read to its end, charged, and only then sent. */
export async function answerWhole({ exchange, record, sent, answer, alias }: WholeAnswer): Promise<void> {
  const { response, headers } = exchange
  const clientLeft = () => sent.giveUp()
  response.once('close', clientLeft)
  const body = await answer.body.whole(LIMITS.providerAnswerBytesMax).catch(() => null)
  // Complete: from now on it is charged, whether the caller still waits or not.
  response.removeListener('close', clientLeft)
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
  sendBytes(response, 200, answer.contentType || 'application/json', withModelAlias(body, alias), headers)
}

function usageOf(body: Buffer) {
  try {
    return readUsage(JSON.parse(body.toString()))
  } catch {
    return null
  }
}
