import { z } from 'zod'
import { PROMPTS_MAX } from '../../../contracts/limits.ts'

const token = z.int().min(0)

/** A text, several texts, the tokens of one text, or those of several. */
export const textInput = z.union([
  z.string(),
  z.array(z.string()).min(1).max(PROMPTS_MAX),
  z.array(token).min(1),
  z.array(z.array(token).min(1)).min(1).max(PROMPTS_MAX),
])

/** One text, or its tokens, which the sandbox can count but not read. */
export type OneText = string | readonly number[]

export function textsOf(input: z.infer<typeof textInput>): readonly OneText[] {
  if (typeof input === 'string') return [input]
  return typeof input[0] === 'number' ? [input as number[]] : (input as OneText[])
}

const CHARS_PER_TOKEN = 4

export function tokensOf(text: OneText): number {
  return typeof text === 'string' ? Math.ceil(text.length / CHARS_PER_TOKEN) : text.length
}
