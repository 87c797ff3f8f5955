import { LIMITS } from '../../../contracts/limits.ts'
import { type Message, requestBody } from '../../platform/extraction/extraction.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import type { AdmittedCall } from '../call/admission.ts'
import { askProviders } from '../call/askProviders.ts'
import { type Caller, offLeave, onLeave } from '../call/caller.ts'
import type { CallRecord } from '../call/callRecord.ts'
import { unavailable } from '../call/providerFailure.ts'
import type { GatewayParts } from '../parts.ts'
import { readUsage, type Usage } from '../wire/usage.ts'

export type AskedFor = {
  readonly parts: GatewayParts
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
    const { parts, call, target, callId, caller } = this.#for
    const { sent, answer } = await askProviders(parts, {
      providers: call.providers.providers,
      path: '/chat/completions',
      callId,
      caller,
      body: (provider) => requestBody(target, provider.model, messages),
      failed: (reason) => this.failed(reason),
    })
    const clientLeft = () => sent.giveUp()
    onLeave(caller, clientLeft)
    const bytes = await answer.body.whole(LIMITS.providerAnswerBytesMax).catch(() => null)
    offLeave(caller, clientLeft)
    if (bytes === null) {
      this.failed(sent.givenUp ? 'client_left' : 'provider_cut')
      throw unavailable()
    }
    const parsed = parseJson(bytes)
    const usage = readUsage(parsed)
    if (!usage) {
      this.failed('no_usage')
      throw unavailable()
    }
    const { tokensIn, tokensOut } = this.#used
    this.#used = { tokensIn: tokensIn + usage.tokensIn, tokensOut: tokensOut + usage.tokensOut }
    return parsed
  }

  /** Not charged; what the model was made to do counts against the tokens a minute all the same. */
  failed(reason: string): void {
    const { record } = this.#for
    record.fail(reason)
    record.countTokens(this.#used.tokensIn + this.#used.tokensOut)
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}
