import {
  PROVIDER_REFUSAL_BYTES_MAX,
  PROVIDER_REFUSAL_MS,
  type ProviderAnswer,
} from '../../platform/providers/answerReceiver.ts'
import type { Redaction } from '../../platform/redaction/redaction.ts'
import { GatewayError } from '../gatewayError.ts'

/** Only these concern the caller's own request; every other failure concerns our account with the provider. */
const PASSED_ON = new Set([400, 413, 415, 422])
/** Characters of a provider's message that are passed on. */
const MESSAGE_CHARS_MAX = 2_000
const RETRY_AFTER_SECONDS_MAX = 3_600
const RETRY_AFTER_SECONDS_DEFAULT = 5

export function isPassedOn(status: number): boolean {
  return PASSED_ON.has(status)
}

/** A provider's refusal as the caller sees it, without secrets and the names of providers and models. */
export async function passedOnRefusal({ status, body }: ProviderAnswer, redaction: Redaction): Promise<GatewayError> {
  const text = await body.beginning(PROVIDER_REFUSAL_BYTES_MAX, PROVIDER_REFUSAL_MS)
  const message = messageIn(text.toString()) ?? 'The request was refused by the model.'
  return new GatewayError('invalidRequest', shortened(redaction.forCallers(message)), { status })
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
  provider_too_large: 'The answer of the model is larger than the gateway accepts.',
  no_usage: 'The answer of the model came without the usage that its charge is computed from.',
}

/** The provider began to answer, but the call has failed with this reason. */
export function answerFailed(reason: string): GatewayError {
  const what = BROKEN_ANSWERS[reason] ?? 'The answer of the model could not be completed.'
  return new GatewayError('unavailable', `${what} The call costs nothing. Retry with backoff.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS_DEFAULT,
  })
}

function messageIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string }
    const message = typeof error === 'object' ? error.message : error
    return typeof message === 'string' && message !== '' ? message : null
  } catch {
    return null
  }
}

function shortened(message: string): string {
  return message.length <= MESSAGE_CHARS_MAX ? message : `${message.slice(0, MESSAGE_CHARS_MAX)}…`.toWellFormed()
}
