import { completionText } from '../../../../capabilities/extraction/completion.ts'
import type { Usage } from '../../../../domain/pricing/usage.ts'
import { faultIn, type ProviderFault } from './providerFault.ts'
import { readMessagesUsage, readResponsesUsage, readUsage } from './usage.ts'

/** What is read of a provider's whole answer. */
export type AnswerFacts = {
  /** null if there is none that a charge could be based on, and for bytes that are not JSON. */
  readonly usage: Usage | null
  readonly isError: boolean
  /** What the error says of the request; null if it says nothing that callers can use. */
  readonly fault?: ProviderFault | null
}

const FAILED: ReadonlySet<unknown> = new Set(['failed', 'cancelled'])

export function readAnswer(json: unknown): AnswerFacts {
  return factsOf(readUsage(json), reportsError(json), json)
}

/** Of the Responses API: an answer that failed says so in its status, too. */
export function readResponsesAnswer(json: unknown): AnswerFacts {
  const isFailed = typeof json === 'object' && json !== null && 'status' in json && FAILED.has(json.status)
  return factsOf(readResponsesUsage(json), isFailed || reportsError(json), json)
}

/** Of the Messages API. */
export function readMessagesAnswer(json: unknown): AnswerFacts {
  return factsOf(readMessagesUsage(json), reportsError(json), json)
}

/** The text of the answer's first choice. */
export function textOfAnswer(json: unknown): string {
  return completionText(json)
}

function factsOf(usage: Usage | null, isError: boolean, json: unknown): AnswerFacts {
  return isError ? { usage, isError, fault: faultIn((json as { error?: unknown }).error) } : { usage, isError }
}

/** Some providers report an error with status 200, as they do within a stream. */
function reportsError(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('error' in json)) return false
  return typeof json.error === 'object' ? json.error !== null : typeof json.error === 'string' && json.error !== ''
}
