import { boundedUsage, cachedTokens } from '../../../../domain/pricing/usage.ts'
import { isAbsent, isJsonObject, type JsonObject } from '../../../../platform/http/body/parseJson.ts'
import { faultIn } from '../../wire/answers/providerFault.ts'
import type { ReportedUsage } from '../../wire/usage/usageShape.ts'
import { AnswerFailed, type AnswerUsage, brokenAnswer } from './answer.ts'

/** Members of a provider's answer. What has the wrong type breaks the protocol; null counts as absent, as everywhere. */

export function objectIn(parent: JsonObject, name: string): JsonObject {
  const value = parent[name]
  if (!isJsonObject(value)) throw brokenAnswer(`${name} is not an object`)
  return value
}

export function objectIfAny(parent: JsonObject, name: string): JsonObject | null {
  return isAbsent(parent[name]) ? null : objectIn(parent, name)
}

export function objectsIn(parent: JsonObject, name: string): readonly JsonObject[] {
  const value = parent[name] ?? []
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw brokenAnswer(`${name} is not a list of objects`)
  return value
}

export function textIn(parent: JsonObject, name: string): string {
  const value = parent[name]
  if (typeof value !== 'string') throw brokenAnswer(`${name} is not a text`)
  return value
}

export function textIfAny(parent: JsonObject, name: string): string | null {
  return isAbsent(parent[name]) ? null : textIn(parent, name)
}

/** An index, which numbers parts, choices or items. */
export function indexIn(parent: JsonObject, name: string): number {
  const value = parent[name]
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw brokenAnswer(`${name} is not an index`)
  return value as number
}

/** The usage that the charge is computed from. */
export function answerUsage(reported: ReportedUsage | null): AnswerUsage {
  if (reported === null) throw new AnswerFailed('no_usage', 'the answer has no usage')
  const usage = boundedUsage(reported)
  const { tokensIn, tokensOut, parts } = usage
  return { tokensIn, tokensOut, ...cachedTokens(usage), tokensReasoning: parts.reasoning ?? null }
}

/** A provider's error that arrives in place of an answer or of an event. */
export function providerError(...errors: readonly unknown[]): AnswerFailed {
  return new AnswerFailed('provider_error', 'the provider reported an error', faultIn(...errors))
}

export function hasError(json: JsonObject): boolean {
  return !isAbsent(json.error) && json.error !== ''
}

/** The names of members that carry something that the translation does not know, for the log. */
export function unknownMembers(object: JsonObject, known: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((name) => !known.has(name) && !isNothing(object[name]))
}

function isNothing(value: unknown): boolean {
  return isAbsent(value) || value === '' || (Array.isArray(value) && value.length === 0)
}
