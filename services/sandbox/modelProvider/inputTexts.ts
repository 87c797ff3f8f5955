import { z } from 'zod'
import { PROMPTS_MAX } from '../../../contracts/limits.ts'

type TextInput = string | readonly string[] | readonly number[] | readonly (readonly number[])[]

const tokens = { type: 'array', items: { type: 'integer' } }

/**
 * A text, several texts, the tokens of one text, or those of several. A schema of arrays would collect a fault for each of
 * half a million wrong items, four times; this check ends at the first.
 */
export const textInput = z
  .custom<TextInput>(
    isTextInput,
    `must be a text, tokens, or a list of either with at most ${PROMPTS_MAX} entries, and not empty`,
  )
  .meta({
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, tokens, { type: 'array', items: tokens }],
  })

function isTextInput(input: unknown): input is TextInput {
  if (typeof input === 'string') return true
  if (!Array.isArray(input) || input.length === 0) return false
  if (isTokens(input)) return true
  if (input.length > PROMPTS_MAX) return false
  return input.every((text) => typeof text === 'string') || input.every(isTokens)
}

function isTokens(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((token) => Number.isSafeInteger(token) && token >= 0)
}

/** One text, or its tokens, which the sandbox can count but not read. */
export type OneText = string | readonly number[]

export function textsOf(input: TextInput): readonly OneText[] {
  if (typeof input === 'string') return [input]
  return typeof input[0] === 'number' ? [input as number[]] : (input as OneText[])
}

const CHARS_PER_TOKEN = 4

export function tokensOf(text: OneText): number {
  return typeof text === 'string' ? Math.ceil(text.length / CHARS_PER_TOKEN) : text.length
}
