import { chatCompletions } from './chatCompletions.ts'
import { completions } from './completions.ts'
import { embeddings } from './embeddings.ts'
import { countTokens, messages } from './messages.ts'
import { responses } from './responses.ts'

/** Every kind of call, by the name that a thread knows it by. */
export const MODEL_CALLS = { chatCompletions, completions, embeddings, responses, messages, countTokens } as const

export type ModelCallName = keyof typeof MODEL_CALLS
