import type { ProviderAnswer } from '../../platform/providers/answerReceiver.ts'
import { GatewayError } from '../gatewayError.ts'

/** Only these concern the caller's own request; every other failure is between us and the provider. */
const PASSED_ON = new Set([400, 413, 415, 422])
const MESSAGE_BYTES_MAX = 16 * 1024
const RETRY_AFTER_SECONDS_MAX = 3_600

/** What the caller is told of a provider's refusal: never who the provider is, nor what it calls the model. */
export async function providerFailure(answer: ProviderAnswer, secrets: readonly string[]): Promise<GatewayError> {
  const text = await readSome(answer.body)
  if (!PASSED_ON.has(answer.status)) {
    const retryAfter = Number(answer.retryAfter)
    return unavailable(retryAfter >= 1 && retryAfter <= RETRY_AFTER_SECONDS_MAX ? Math.ceil(retryAfter) : 5)
  }
  const message = messageIn(text) ?? 'The request was refused by the model.'
  const status = answer.status
  return new GatewayError('invalidRequest', withoutSecrets(message, secrets), { status })
}

export function unavailable(retryAfterSeconds = 5): GatewayError {
  return new GatewayError('unavailable', 'No provider of this model answered. Retry with backoff.', {
    retryAfterSeconds,
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

function withoutSecrets(message: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => text.replace(new RegExp(literal(secret), 'gi'), 'the model'), message)
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

async function readSome(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MESSAGE_BYTES_MAX) break
    }
  } catch {
    // It broke off: what came is enough.
  }
  return Buffer.concat(chunks).toString('utf8')
}
