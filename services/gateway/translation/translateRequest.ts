import type { TranslatedWire } from './conversation/reasoningState.ts'
import { refuseTooDeep } from './fields/jsonTexts.ts'
import { type Hint, LeftOut } from './fields/leftOut.ts'
import { RequestRefused } from './fields/requestRefused.ts'
import type { RequestOptions } from './wireTranslation.ts'
import { WIRE_TRANSLATIONS } from './wireTranslations.ts'

export type TranslatedRequest = {
  readonly body: object
  /** For `x-translated`. */
  readonly leftOut: readonly Hint[]
}

/** Why a request is not translated, and the path of the field that is the reason. */
export type UntranslatedRequest = { readonly refused: string; readonly param: string | null }

export type TranslationWay = {
  /** The API that the caller speaks. */
  readonly caller: TranslatedWire
  /** The API that the provider speaks. */
  readonly provider: TranslatedWire
}

/** A caller's request, parsed by `parseExactly`, as one of the provider's API. */
export function translateRequest(
  body: unknown,
  { caller, provider }: TranslationWay,
  options: RequestOptions,
): TranslatedRequest | UntranslatedRequest {
  const leftOut = new LeftOut()
  try {
    refuseTooDeep(body)
    const conversation = WIRE_TRANSLATIONS[caller].readRequest(body, leftOut)
    const translated = WIRE_TRANSLATIONS[provider].writeRequest(conversation, leftOut, options)
    return { body: translated, leftOut: leftOut.names }
  } catch (error) {
    if (error instanceof RequestRefused) return { refused: error.message, param: error.param }
    throw error
  }
}
