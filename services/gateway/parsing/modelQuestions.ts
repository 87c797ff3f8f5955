import { completionText, type Message } from '../../../capabilities/extraction/completion.ts'
import { requestBody } from '../../../capabilities/extraction/extraction.ts'
import type { ParseTarget } from '../../../capabilities/extraction/parseTarget.ts'
import { providersInOrder } from '../../../capabilities/providers/providerOrder.ts'
import { parseJson } from '../../../platform/http/body/parseJson.ts'
import type { AdmittedCall } from '../call/admission.ts'
import { askProviders } from '../call/askProviders.ts'
import { drainOf } from '../call/beginCall.ts'
import type { CallRecord } from '../call/callRecord.ts'
import type { CallTrace } from '../call/callTrace.ts'
import { COUNTED_AS_ABANDONED, completeAnswer } from '../call/completeAnswer.ts'
import { usageMax } from '../call/costBound.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { SMALL_JSON_BYTES_MAX } from '../largeJson/largeJson.ts'
import type { Caller } from '../requestContext.ts'
import { readAnswer } from '../wire/answers/providerAnswer.ts'

export type ParseCallParts = {
  readonly deps: GatewayDependencies
  readonly call: AdmittedCall
  readonly record: CallRecord
  readonly target: ParseTarget
  readonly callId: string
  readonly companyId: string
  readonly caller: Caller
  readonly trace: CallTrace | undefined
}

/** The requests of one parse call to its model. The usage of all of them is added to its record. */
export class ModelQuestions {
  readonly #parts: ParseCallParts

  constructor(parts: ParseCallParts) {
    this.#parts = parts
  }

  /** Returns the text of the provider's answer. A failure is recorded before it is thrown. */
  async ask(messages: readonly Message[]): Promise<string> {
    const { deps, call, record, target, callId, companyId, caller, trace } = this.#parts
    const drain = drainOf(deps, call)
    let bodyBytes = 0
    const failed = (reason: string, isCounted: boolean) => {
      if (isCounted) record.failUnread(reason, { ...textRequest(bodyBytes), maxTokens: null })
      else record.fail(reason)
      record.countUsed()
    }
    const answered = await askProviders(deps, {
      alias: call.alias,
      providers: providersInOrder(call.providers, 'chat', callId),
      wire: 'chat',
      path: '/chat/completions',
      callId,
      companyId,
      caller,
      drain,
      trace,
      sentTo: (provider) => record.sentTo(provider),
      body: (provider) => {
        const body = requestBody(target, provider.model, messages)
        bodyBytes = body.length
        return body
      },
      failed,
    })
    record.answeredBy(answered, usageMax(textRequest(bodyBytes), call.providers.contextLength))
    const { text, usage } = await completeAnswer(
      { ...answered, drain },
      caller,
      (reason) => failed(reason, COUNTED_AS_ABANDONED.has(reason)),
      (bytes) =>
        bytes.length > SMALL_JSON_BYTES_MAX ? deps.largeJson.readAnswerText(bytes, companyId) : answerText(bytes),
    )
    record.use(usage)
    return text
  }

  /** The call is not charged, but the tokens it used count against the limit per minute. */
  failed(reason: string): void {
    const { record } = this.#parts
    record.fail(reason)
    record.countUsed()
  }
}

function textRequest(bodyBytes: number) {
  return { bodyBytes, images: 0, generated: 1, toolCallsMax: null, asksForAudio: false }
}

function answerText(bytes: Buffer) {
  const json = parseJson(bytes)
  return { read: readAnswer(json), text: completionText(json) }
}
