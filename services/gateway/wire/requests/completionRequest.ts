import { CHOICES_MAX, PROMPTS_MAX } from '../../../../contracts/limits.ts'
import {
  CHAT_RULES,
  type EndpointRules,
  type InferenceRequest,
  READ_FIELDS,
  type Refused,
  type RequestFields,
  readInferenceRequest,
} from './inferenceRequest.ts'
import { countTexts, wrongTextInput } from './textInput.ts'

export const COMPLETION_FIELDS = [...READ_FIELDS, 'prompt', 'best_of']

const RULES: EndpointRules = {
  reads: COMPLETION_FIELDS,
  // With `echo` and `logprobs` an answer may score its prompt without generating a token.
  tokenBounds: CHAT_RULES.tokenBounds,
  tokensMin: 0,
  asksForUsage: true,
  choices({ prompt, n, best_of: bestOf }) {
    const prompts = countTexts(prompt)
    const returned = (n as number | null | undefined) ?? 1
    const generated = Math.max(returned, (bestOf as number | null | undefined) ?? 1)
    return { n: prompts * returned, generated: prompts * generated }
  },
}

/** The legacy format: each prompt is continued by the model and has its own choices. */
export function readCompletionRequest(body: Buffer): InferenceRequest | Refused {
  return readInferenceRequest(body, wrongFields, RULES)
}

function wrongFields({ prompt, best_of: bestOf }: RequestFields): string | null {
  if (prompt === undefined) return "'prompt' is missing."
  // null stands for the beginning of a new document.
  const wrong = prompt === null ? null : wrongTextInput('prompt', prompt)
  if (wrong !== null) return wrong
  if (countTexts(prompt) > PROMPTS_MAX) return `'prompt' must hold at most ${PROMPTS_MAX} prompts.`
  if (bestOf === undefined || bestOf === null) return null
  if (!Number.isSafeInteger(bestOf) || (bestOf as number) < 1) return "'best_of' must be a positive integer."
  return (bestOf as number) > CHOICES_MAX ? `'best_of' must be at most ${CHOICES_MAX}.` : null
}
