import type { ErrorEnvelope } from '../../../../contracts/errors.ts'
import type { JsonObject } from '../../../../platform/http/body/parseJson.ts'
import type { AnswerEvent } from './answer.ts'

/**
 * Reads the events of one stream of a provider, in order. Every function throws AnswerFailed if the provider does not keep to
 * its API, and must not be called again then.
 */
export type StreamReader = {
  read(event: JsonObject): AnswerEvent[]
  /** The provider has sent `[DONE]`. */
  done(): AnswerEvent[]
  /** The provider's stream is over. */
  closed(): AnswerEvent[]
}

/** Writes the events of one answer as server-sent events, in order. */
export type StreamWriter = {
  write(event: AnswerEvent): string[]
  /** The event that ends a stream which failed, as clients of this API expect it. */
  failure(error: ErrorEnvelope): string
}

/** One server-sent event. `name` is for the APIs whose events have one. */
export function sse(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}
