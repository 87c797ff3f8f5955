import type { z } from 'zod'
import { DOCUMENT_TEXT_CHARS_MAX } from '../../contracts/limits.ts'
import { jsonExcess } from '../../platform/http/body/jsonScan.ts'
import { type Message, parseCompletionJson } from './completion.ts'
import type { ParseTarget } from './parseTarget.ts'

/** How many problems, and how much of the invalid answer, are sent back to the model. */
const PROBLEMS_MAX = 20
const PROBLEMS_BYTES_MAX = 3_500
/** An upper bound for what the list of problems and the text around it add to the conversation. */
export const REPAIR_BYTES_MAX = 4_000
const INVALID_ANSWER_CHARS_MAX = 50_000
/** How many values a profile may have. Each wrong one produces an error with its path. */
const PROFILE_VALUES_MAX = 10_000

export function firstQuestion({ instructions }: ParseTarget, text: string): Message[] {
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: text },
  ]
}

/** The conversation with the invalid answer and the list of its problems. */
export function repairQuestion(question: readonly Message[], answer: string, problems: readonly string[]): Message[] {
  return [
    ...question,
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

/** Limits the length, because a problem may quote the model's answer. */
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

/** A longer answer cannot be a profile: it would exceed the longest document. */
const ANSWER_CHARS_MAX = DOCUMENT_TEXT_CHARS_MAX

/** The profile in the text of an answer, or the problems of the answer. */
export function readExtraction({ schema }: ParseTarget, content: string): Extracted {
  const excess =
    content.length > ANSWER_CHARS_MAX || jsonExcess(Buffer.from(content), { valuesMax: PROFILE_VALUES_MAX })
  if (excess) return { answer: content, problems: ['It is longer than a profile can be.'] }
  let parsed: unknown
  try {
    parsed = parseCompletionJson(content)
  } catch {
    return { answer: content, problems: ['It is not a JSON document.'] }
  }
  const checked = schema.safeParse(parsed)
  if (checked.success) return { profile: checked.data }
  return { answer: content, problems: checked.error.issues.map(problemOf) }
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? 'The document' : path.join('.')}: ${message}`
}
