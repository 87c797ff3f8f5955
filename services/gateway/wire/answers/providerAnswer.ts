import { readChatUsage } from '../usage/chatUsage.ts'
import { readMessagesUsage } from '../usage/messagesUsage.ts'
import { readResponsesUsage } from '../usage/responsesUsage.ts'
import type { ReportedUsage } from '../usage/usageShape.ts'
import { faultIn, type ProviderFault } from './providerFault.ts'

/** The facts read from a provider's complete answer. */
export type AnswerFacts = {
  /** null if no usage can be charged, or the bytes are not JSON. */
  readonly usage: ReportedUsage | null
  readonly isError: boolean
  /** What the error says about the request; null if it is of no use to callers. */
  readonly fault?: ProviderFault | null
}

const FAILED: ReadonlySet<unknown> = new Set(['failed', 'cancelled'])

export function readAnswer(json: unknown): AnswerFacts {
  return factsOf(readChatUsage(json), reportsError(json), json)
}

/** Responses API: a failed answer also says so in its status. */
export function readResponsesAnswer(json: unknown): AnswerFacts {
  const isFailed = typeof json === 'object' && json !== null && 'status' in json && FAILED.has(json.status)
  return factsOf(readResponsesUsage(json), isFailed || reportsError(json), json)
}

/** Of the Messages API. */
export function readMessagesAnswer(json: unknown): AnswerFacts {
  return factsOf(readMessagesUsage(json), reportsError(json), json)
}

function factsOf(usage: ReportedUsage | null, isError: boolean, json: unknown): AnswerFacts {
  return isError ? { usage, isError, fault: faultIn((json as { error?: unknown }).error) } : { usage, isError }
}

/** Some providers report errors with status 200, as within a stream. */
function reportsError(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('error' in json)) return false
  return typeof json.error === 'object' ? json.error !== null : typeof json.error === 'string' && json.error !== ''
}
