import type { Message } from '../../platform/extraction/completion.ts'
import { requestBody } from '../../platform/extraction/extraction.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import type { AdmittedCall } from '../call/admission.ts'
import { askProviders } from '../call/askProviders.ts'
import type { Caller } from '../call/caller.ts'
import type { CallRecord } from '../call/callRecord.ts'
import { completeAnswer } from '../call/completeAnswer.ts'
import { usageMax } from '../call/costBound.ts'
import type { GatewayDependencies } from '../dependencies.ts'

export type AskedFor = {
  readonly deps: GatewayDependencies
  readonly call: AdmittedCall
  readonly record: CallRecord
  readonly target: ParseTarget
  readonly callId: string
  readonly caller: Caller
}

/** The requests of one parse call to its model. The usage of all of them is added to its record. */
export class ModelQuestions {
  readonly #for: AskedFor

  constructor(askedFor: AskedFor) {
    this.#for = askedFor
  }

  /** Returns the provider's answer as JSON. A failure is recorded before it is thrown. */
  async ask(messages: readonly Message[]): Promise<unknown> {
    const { deps, call, record, target, callId, caller } = this.#for
    const failed = (reason: string) => this.failed(reason)
    let bodyBytes = 0
    const answered = await askProviders(deps, {
      providers: call.providers.providers,
      path: '/chat/completions',
      callId,
      caller,
      sentTo: (provider) => record.sentTo(provider),
      body: (provider) => {
        const body = requestBody(target, provider.model, messages)
        bodyBytes = body.length
        return body
      },
      failed,
    })
    record.answeredBy(answered.sent, usageMax({ bodyBytes, images: 0, generated: 1 }, call.providers.contextLength))
    const { json, usage } = await completeAnswer(answered, caller, failed)
    record.use(usage)
    return json
  }

  /** The call is not charged, but the tokens it used count against the limit per minute. */
  failed(reason: string): void {
    const { record } = this.#for
    record.fail(reason)
    record.countUsed()
  }
}
