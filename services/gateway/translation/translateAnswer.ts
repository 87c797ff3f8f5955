import { AnswerFailed, type AnswerFailure, brokenAnswer } from './conversation/answer.ts'
import type { AnswerFrame } from './conversation/answerFrame.ts'
import { Dropped } from './conversation/dropped.ts'
import { isTooDeep } from './fields/jsonTexts.ts'
import type { TranslationWay } from './translateRequest.ts'
import { WIRE_TRANSLATIONS } from './wireTranslations.ts'

export type TranslatedAnswer = {
  readonly body: object
  /** Members that have no translation, for the log. */
  readonly dropped: readonly string[]
}

/** A provider's whole answer, parsed by `parseExactly`, as one of the caller's API. */
export function translateAnswer(
  json: unknown,
  { caller, provider }: TranslationWay,
  frame: AnswerFrame,
): TranslatedAnswer | { readonly failure: AnswerFailure } {
  const dropped = new Dropped()
  try {
    if (isTooDeep(json)) throw brokenAnswer('the answer is nested too deeply')
    const answer = WIRE_TRANSLATIONS[provider].readAnswer(json, dropped)
    return { body: WIRE_TRANSLATIONS[caller].writeAnswer(answer, frame), dropped: dropped.names }
  } catch (error) {
    if (error instanceof AnswerFailed) return { failure: error.failure }
    throw error
  }
}
