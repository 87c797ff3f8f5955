import { z } from 'zod'

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })

/** The text of a chat completion; empty if there is none. */
export function completionText(answer: unknown): string {
  return completion.safeParse(answer).data?.choices[0]?.message.content ?? ''
}

/** Parses the JSON in a completion. Models without support for response_format wrap it in a code fence. */
export function parseCompletionJson(text: string): unknown {
  return JSON.parse(unfenced(text.trim()))
}

const FENCE = '```'

/** Without a regular expression, whose time would grow with the cube of the line ends in an answer. */
function unfenced(text: string): string {
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1 || !text.startsWith(FENCE) || !text.endsWith(FENCE)) return text
  const language = text.slice(FENCE.length, lineEnd).trim()
  return language === '' || language === 'json' ? text.slice(lineEnd + 1, -FENCE.length) : text
}
