import { z } from 'zod'
import { textInput } from './inputTexts.ts'

/** What the sandbox understands of an embedding request; everything else is accepted and ignored, as providers do. */
export const embeddingRequest = z.looseObject({
  model: z.string(),
  input: textInput,
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(3_072).nullish(),
})
