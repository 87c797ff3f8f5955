import { z } from 'zod'
import { textInput } from './inputTexts.ts'

/** The fields of a legacy completion request that the sandbox reads. Others are accepted and ignored, as providers do. */
export const completionRequest = z.looseObject({
  model: z.string(),
  prompt: textInput.nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  echo: z.boolean().nullish(),
  n: z.int().min(1).max(16).nullish(),
  best_of: z.int().min(1).max(16).nullish(),
  max_tokens: z.int().min(0).nullish(),
})

export type CompletionRequest = z.infer<typeof completionRequest>
