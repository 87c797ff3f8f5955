import { z } from 'zod'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { featuresOf, featuresOfTokens } from './embedding/features.ts'
import { vectorOf } from './embedding/vector.ts'
import { type OneText, textInput, textsOf, tokensOf } from './inputTexts.ts'
import { modelCall } from './modelCall.ts'

/** The fields of an embedding request that the sandbox reads. Others are accepted and ignored, as providers do. */
const embeddingRequest = z.looseObject({
  model: z.string(),
  input: textInput,
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(3_072).nullish(),
})

const DIMENSIONS = 1_536
/** The limits of real providers, which also bound the work of one call in this process. */
const TOKENS_PER_TEXT_MAX = 8_192
const TOKENS_MAX = 300_000
/** Numbers of an answer that the event loop computes and writes within milliseconds. */
const SHORT_ANSWER_NUMBERS_MAX = 8 * DIMENSIONS

/** Embeddings made from words and their letters. No model, but a paraphrase is nearer than an unrelated text. */
export const embeddings = modelCall({
  path: '/v1/embeddings',
  summary: 'Embeddings of texts or tokens',
  schema: embeddingRequest,
  isLong: ({ input, dimensions }) => textsOf(input).length * (dimensions ?? DIMENSIONS) > SHORT_ANSWER_NUMBERS_MAX,
  answer: (request) => {
    const texts = textsOf(request.input)
    requireEmbeddable(texts)
    const encode = request.encoding_format === 'base64' ? asBase64 : asNumbers
    const data = texts.map((text, index) => {
      const features = typeof text === 'string' ? featuresOf(text) : featuresOfTokens(text)
      return { object: 'embedding', index, embedding: encode(vectorOf(features, request.dimensions ?? DIMENSIONS)) }
    })
    const tokens = totalTokens(texts)
    return {
      whole: {
        object: 'list',
        data,
        model: request.model,
        system_fingerprint: 'tollgate-sandbox',
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      },
    }
  },
})

function requireEmbeddable(texts: readonly OneText[]): void {
  if (texts.includes('')) throw new HttpError(400, 'input: an empty text has no embedding')
  if (texts.some((text) => tokensOf(text) > TOKENS_PER_TEXT_MAX)) {
    throw new HttpError(400, `input: a text is longer than ${TOKENS_PER_TEXT_MAX} tokens`)
  }
  if (totalTokens(texts) > TOKENS_MAX) throw new HttpError(400, `input: more than ${TOKENS_MAX} tokens in all`)
}

function totalTokens(texts: readonly OneText[]): number {
  return texts.reduce((sum, text) => sum + tokensOf(text), 0)
}

/** Nine digits represent every 32-bit float exactly. */
function asNumbers(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Number(value.toPrecision(9)))
}

/** 32-bit floats, little-endian on every machine. */
function asBase64(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}
