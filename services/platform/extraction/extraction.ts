import { z } from 'zod'
import type { ParseTarget } from './parseTarget.ts'

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

/** How much of the problems and of an invalid answer goes back to the model. */
const PROBLEMS_MAX = 20
const PROBLEMS_BYTES_MAX = 3_500
/** What the problems, and the words around them, add to the conversation at most. */
export const REPAIR_BYTES_MAX = 4_000
const INVALID_ANSWER_CHARS_MAX = 50_000

export function firstQuestion({ instructions }: ParseTarget, text: string): Message[] {
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: text },
  ]
}

/** The whole conversation again, with the answer that was invalid and what was wrong with it. */
export function repairQuestion(asked: readonly Message[], answer: string, problems: readonly string[]): Message[] {
  return [
    ...asked,
    { role: 'assistant', content: answer.slice(0, INVALID_ANSWER_CHARS_MAX) },
    {
      role: 'user',
      content: [
        'That answer does not fit the JSON schema:',
        listed(problems),
        'Answer again with the whole JSON document, and nothing else.',
      ].join('\n'),
    },
  ]
}

/** A problem may repeat whatever the model wrote. */
function listed(problems: readonly string[]): string {
  const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => `- ${problem}`)
  return Buffer.from(lines.join('\n')).subarray(0, PROBLEMS_BYTES_MAX).toString()
}

export function requestBody(target: ParseTarget, model: string, messages: readonly Message[]): Buffer {
  const { schemaName: name, jsonSchema: schema } = target
  const responseFormat = { type: 'json_schema', json_schema: { name, strict: true, schema } }
  return Buffer.from(JSON.stringify({ model, messages, temperature: 0, response_format: responseFormat }))
}

export type Extracted = { readonly profile: unknown } | { readonly answer: string; readonly problems: string[] }

/** The profile in a provider's answer, or what is wrong with it. */
export function readExtraction({ schema }: ParseTarget, answer: unknown): Extracted {
  const content = contentOf(answer)
  let parsed: unknown
  try {
    parsed = JSON.parse(withoutFence(content))
  } catch {
    return { answer: content, problems: ['It is not a JSON document.'] }
  }
  const checked = schema.safeParse(parsed)
  if (checked.success) return { profile: checked.data }
  return { answer: content, problems: checked.error.issues.map(problemOf) }
}

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })

function contentOf(answer: unknown): string {
  return completion.safeParse(answer).data?.choices[0]?.message.content ?? ''
}

/** Models that know no response_format put their JSON between fences. */
function withoutFence(content: string): string {
  return /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(content)?.[1] ?? content
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? 'The document' : path.join('.')}: ${message}`
}
