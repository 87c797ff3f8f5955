import {
  PROVIDER_REFUSAL_BYTES_MAX,
  PROVIDER_REFUSAL_MS,
  type ProviderAnswer,
} from '../../../capabilities/providers/answerReceiver.ts'
import type { Redaction } from '../../../capabilities/redaction/redaction.ts'
import { PROVIDER_CODES, type ProviderCode } from '../../../contracts/errors.ts'
import { isJsonObject } from '../../../platform/http/body/parseJson.ts'
import { GatewayError } from '../gatewayError.ts'
import { faultIn, type ProviderFault, paramOf } from '../wire/answers/providerFault.ts'

/** Only these are about the caller's request; all other failures are about our account with the provider. */
const PASSED_ON = new Set([400, 413, 415, 422])
/** Characters of a provider's message that are passed on. */
const MESSAGE_CHARS_MAX = 2_000
/** A field path; anything else is free text of the provider. */
const PARAM = /^[A-Za-z_][\w.[\]-]{0,199}$/
const RETRY_AFTER_SECONDS_MAX = 3_600
const RETRY_AFTER_SECONDS_DEFAULT = 5

export function isPassedOn(status: number): boolean {
  return PASSED_ON.has(status)
}

/** A provider's refusal as the caller sees it, without secrets and the names of providers and models. */
export async function passedOnRefusal({ status, body }: ProviderAnswer, redaction: Redaction): Promise<GatewayError> {
  const text = await body.beginning(PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS)
  const error = errorIn(text.toString())
  const message = messageOf(error) ?? 'The request was refused by the model.'
  return new GatewayError('invalidRequest', shortened(redaction.forCallers(message)), {
    status,
    param: shownParam(paramOf(error), redaction),
    providerCode: faultIn(error)?.code,
  })
}

/** Undefined if it is not a field name or would have to be redacted. */
function shownParam(param: string | null, redaction: Pick<Redaction, 'forCallers'>): string | undefined {
  return param !== null && PARAM.test(param) && redaction.forCallers(param) === param ? param : undefined
}

/** In seconds; 0 if the provider sent no usable retry-after. */
export function retryAfterOf({ retryAfter }: ProviderAnswer): number {
  const seconds = Number(retryAfter)
  return seconds >= 1 && seconds <= RETRY_AFTER_SECONDS_MAX ? Math.ceil(seconds) : 0
}

export function unavailable(retryAfterSeconds = 0): GatewayError {
  return new GatewayError('unavailable', 'No provider of this model answered. Retry with backoff.', {
    retryAfterSeconds: retryAfterSeconds || RETRY_AFTER_SECONDS_DEFAULT,
  })
}

/** The message to the caller if the call failed for this reason after its provider had begun to answer. */
const BROKEN_ANSWERS: Readonly<Record<string, string>> = {
  provider_cut: 'The answer of the model broke off before it was complete.',
  provider_error: 'The model reported an error before its answer was complete.',
  no_usage: 'The answer of the model came without the usage that its charge is computed from.',
}

/** Our own messages for the providers' codes. */
const FAULTS: Readonly<Record<ProviderCode, string>> = {
  context_length_exceeded: 'The request is larger than the context of the model.',
  invalid_prompt: 'The model does not accept this prompt.',
  content_filter: 'A content filter of the model stopped the answer.',
  content_policy_violation: 'The request violates the content policy of the model.',
  rate_limit_exceeded: 'The model is at its rate limit.',
}

/**
 * The provider began to answer, but the call has failed with this reason. `fault` is what its error said, whose `param`
 * is passed on only with a redaction.
 */
export function answerFailed(
  reason: string,
  fault: ProviderFault | null = null,
  redaction?: Pick<Redaction, 'forCallers'>,
): GatewayError {
  if (reason === 'provider_too_large') {
    const message = 'The answer of the model is larger than the gateway accepts. The call costs nothing.'
    return new GatewayError('answerTooLarge', `${message} Ask for a shorter one.`)
  }
  if (reason === 'provider_error' && fault !== null) {
    const error = PROVIDER_CODES[fault.code]
    return new GatewayError(error, `${FAULTS[fault.code]} The call costs nothing.`, {
      providerCode: fault.code,
      param: redaction && shownParam(fault.param, redaction),
      ...(error === 'rateLimited' ? { retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT } : {}),
    })
  }
  const what = BROKEN_ANSWERS[reason] ?? 'The answer of the model could not be completed.'
  return new GatewayError('unavailable', `${what} The call costs nothing. Retry with backoff.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
  })
}

function errorIn(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return isJsonObject(json) ? json.error : undefined
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): string | null {
  const message = isJsonObject(error) ? error.message : error
  return typeof message === 'string' && message !== '' ? message : null
}

function shortened(message: string): string {
  return message.length <= MESSAGE_CHARS_MAX ? message : `${message.slice(0, MESSAGE_CHARS_MAX)}…`.toWellFormed()
}
