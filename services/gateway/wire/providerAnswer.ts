import type { Usage } from '../../../domain/pricing/usage.ts'
import { completionText } from '../../platform/extraction/completion.ts'
import { readMessagesUsage, readResponsesUsage, readUsage } from './usage.ts'

/** What is read of a provider's whole answer. */
export type AnswerFacts = {
  /** null if there is none that a charge could be based on, and for bytes that are not JSON. */
  readonly usage: Usage | null
  readonly isError: boolean
}

const FAILED: ReadonlySet<unknown> = new Set(['failed', 'cancelled'])

export function readAnswer(json: unknown): AnswerFacts {
  return { usage: readUsage(json), isError: reportsError(json) }
}

/** Of the Responses API: an answer that failed says so in its status, too. */
export function readResponsesAnswer(json: unknown): AnswerFacts {
  const isFailed = typeof json === 'object' && json !== null && 'status' in json && FAILED.has(json.status)
  return { usage: readResponsesUsage(json), isError: isFailed || reportsError(json) }
}

/** Of the Messages API. */
export function readMessagesAnswer(json: unknown): AnswerFacts {
  return { usage: readMessagesUsage(json), isError: reportsError(json) }
}

/** The text of the answer's first choice. */
export function textOfAnswer(json: unknown): string {
  return completionText(json)
}

/** Some providers report an error with status 200, as they do within a stream. */
function reportsError(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('error' in json)) return false
  return typeof json.error === 'object' ? json.error !== null : typeof json.error === 'string' && json.error !== ''
}
