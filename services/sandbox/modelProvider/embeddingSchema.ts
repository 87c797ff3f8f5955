import { z } from 'zod'
import { textInput } from './inputTexts.ts'

/** The fields of an embedding request that the sandbox reads. Others are accepted and ignored, as providers do. */
export const embeddingRequest = z.looseObject({
  model: z.string(),
  input: textInput,
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(3_072).nullish(),
})
