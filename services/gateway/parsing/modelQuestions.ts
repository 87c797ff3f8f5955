import type { Message } from '../../platform/extraction/completion.ts'
import { requestBody } from '../../platform/extraction/extraction.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import type { AdmittedCall } from '../call/admission.ts'
import { askProviders, type Caller } from '../call/askProviders.ts'
import type { CallRecord } from '../call/callRecord.ts'
import { completeAnswer } from '../call/completeAnswer.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { Usage } from '../wire/usage.ts'

export type AskedFor = {
  readonly deps: GatewayDependencies
  readonly call: AdmittedCall
  readonly record: CallRecord
  readonly target: ParseTarget
  readonly callId: string
  readonly caller: Caller
}

/** The questions of one call to its model, and what they used together. */
export class ModelQuestions {
  readonly #for: AskedFor
  #used: Usage = { tokensIn: 0, tokensOut: 0 }

  constructor(askedFor: AskedFor) {
    this.#for = askedFor
  }

  get used(): Usage {
    return this.#used
  }

  /** The provider's answer, as JSON. Whatever goes wrong is on record before it is thrown. */
  async ask(messages: readonly Message[]): Promise<unknown> {
    const { deps, call, target, callId, caller } = this.#for
    const failed = (reason: string) => this.failed(reason)
    const answered = await askProviders(deps, {
      providers: call.providers.providers,
      path: '/chat/completions',
      callId,
      caller,
      body: (provider) => requestBody(target, provider.model, messages),
      failed,
    })
    const { json, usage } = await completeAnswer(answered, caller, failed)
    const { tokensIn, tokensOut } = this.#used
    this.#used = { tokensIn: tokensIn + usage.tokensIn, tokensOut: tokensOut + usage.tokensOut }
    return json
  }

  /** Not charged; what the model was made to do counts against the tokens a minute all the same. */
  failed(reason: string): void {
    const { record } = this.#for
    record.fail(reason)
    record.countTokens(this.#used.tokensIn + this.#used.tokensOut)
  }
}
