import { LIMITS } from '../../../contracts/limits.ts'
import { type AdmittedCall, admitCall } from '../call/admission.ts'
import { CallRecord } from '../call/callRecord.ts'
import { providerFailure, unavailable } from '../call/providerFailure.ts'
import type { KeyedExchange } from '../exchange.ts'
import { GatewayError } from '../gatewayError.ts'
import type { GatewayParts } from '../parts.ts'
import { readUsage, type Usage } from '../wire/usage.ts'
import { firstQuestion, type Message, readExtraction, repairQuestion, requestBody } from './extraction.ts'
import type { ParseTarget } from './parseTarget.ts'

/** Who asks: all that a billed call needs to know, whether it came over REST or from a tool. */
export type ParseCaller = Pick<KeyedExchange, 'key' | 'callId' | 'headers'>

export type Parsed = { readonly profile: unknown; readonly creditsCharged: string }

/** The alias that extracts; a key that may call only the second has that one. */
const EXTRACT_ALIASES = ['svc/extract-default', 'svc/extract-fast'] as const

/**
 * Text in, profile out, billed as one call: resolves once its charge is durable. An answer that does not fit the schema
 * is sent back once with its problems. The signal says that the caller has left.
 */
export async function parseText(
  parts: GatewayParts,
  caller: ParseCaller,
  target: ParseTarget,
  text: string,
  left: AbortSignal,
): Promise<Parsed> {
  checkText(text)
  const { models } = caller.key
  const alias = EXTRACT_ALIASES.find((each) => models?.has(each) ?? true) ?? EXTRACT_ALIASES[0]
  const call = await admitCall(parts, caller, alias)
  const record = new CallRecord(parts, caller, call, target.endpoint, false)
  const asking = new Asking(parts, caller, call, record, left)

  const question = firstQuestion(target, text)
  let extracted = readExtraction(target, await asking.ask(target, question))
  if ('problems' in extracted) {
    const repair = repairQuestion(question, extracted.answer, extracted.problems)
    extracted = readExtraction(target, await asking.ask(target, repair))
  }
  if ('problems' in extracted) {
    asking.failed('parse_invalid')
    const [problem] = extracted.problems
    parts.log.warn({ callId: caller.callId, problem }, 'an extraction stayed invalid')
    throw new GatewayError(
      'parseFailed',
      'The model gave no valid profile of this text, also when it was asked again. Nothing was charged.',
    )
  }
  return { profile: extracted.profile, creditsCharged: await record.charge(asking.used) }
}

function checkText(text: string): void {
  if (text.trim() === '') throw new GatewayError('invalidRequest', 'There is no text to parse.')
  if (text.length > LIMITS.documentTextCharsMax) {
    throw new GatewayError('invalidRequest', `The text is longer than ${LIMITS.documentTextCharsMax} characters.`)
  }
}

/** The questions of one call to its provider, and what they used together. */
class Asking {
  readonly #parts: GatewayParts
  readonly #caller: ParseCaller
  readonly #call: AdmittedCall
  readonly #record: CallRecord
  readonly #left: AbortSignal
  #used: Usage = { tokensIn: 0, tokensOut: 0 }

  constructor(parts: GatewayParts, caller: ParseCaller, call: AdmittedCall, record: CallRecord, left: AbortSignal) {
    this.#parts = parts
    this.#caller = caller
    this.#call = call
    this.#record = record
    this.#left = left
  }

  get used(): Usage {
    return this.#used
  }

  /** The provider's answer, as JSON. Whatever goes wrong is on record before it is thrown. */
  async ask(target: ParseTarget, messages: readonly Message[]): Promise<unknown> {
    const { callId } = this.#caller
    const [provider] = this.#call.providers.providers
    const body = requestBody(target, provider.model, messages)
    const sent = this.#parts.providers.send(provider, { path: '/chat/completions', body, callId })
    const giveUp = () => sent.giveUp()
    if (this.#left.aborted) giveUp()
    this.#left.addEventListener('abort', giveUp, { once: true })
    try {
      const answer = await sent.answered
      if (answer.status !== 200) {
        this.failed(`provider_${answer.status}`)
        throw await providerFailure(answer, [provider.model, provider.name, new URL(provider.baseUrl).hostname])
      }
      const bytes = await answer.body.whole(LIMITS.providerAnswerBytesMax)
      return this.#counted(bytes)
    } catch (error) {
      if (error instanceof GatewayError) throw error
      this.failed(sent.givenUp ? 'client_left' : 'provider_unreachable')
      if (!sent.givenUp) this.#parts.log.warn({ err: error, callId }, 'a provider did not answer')
      throw unavailable()
    } finally {
      this.#left.removeEventListener('abort', giveUp)
    }
  }

  /** Not charged; what the provider was made to do counts against the tokens a minute all the same. */
  failed(reason: string): void {
    this.#record.fail(reason)
    this.#record.countTokens(this.#used.tokensIn + this.#used.tokensOut)
  }

  #counted(bytes: Buffer | null): unknown {
    const answer = bytes === null ? null : parseJson(bytes)
    const usage = readUsage(answer)
    if (!usage) {
      this.failed(bytes === null ? 'provider_cut' : 'no_usage')
      throw unavailable()
    }
    this.#used = {
      tokensIn: this.#used.tokensIn + usage.tokensIn,
      tokensOut: this.#used.tokensOut + usage.tokensOut,
    }
    return answer
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}
