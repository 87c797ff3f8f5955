import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sendJson } from '../../platform/http/answers.ts'
import { featuresOf, featuresOfTokens } from './embedding/features.ts'
import { vectorOf } from './embedding/vector.ts'
import { embeddingRequest } from './embeddingSchema.ts'
import { type OneText, textsOf, tokensOf } from './inputTexts.ts'
import { readRequest, refuse } from './readRequest.ts'

const DIMENSIONS = 1_536
/** Of one text, and of all: what providers take too, and a bound on what one call can ask of this process. */
const TOKENS_PER_TEXT_MAX = 8_192
const TOKENS_MAX = 300_000
/** The sandbox may share its process with a gateway, which must not wait for a long list. */
const TEXTS_PER_TURN = 16

/** `POST /v1/embeddings`, made from words and their letters: no model, but a paraphrase lies nearer than another text. */
export async function embeddings(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = await readRequest(request, response, embeddingRequest)
  if (!asked) return
  const texts = textsOf(asked.input)
  const wrong = wrongTexts(texts)
  if (wrong !== null) return refuse(response, wrong)
  const encode = asked.encoding_format === 'base64' ? asBase64 : asNumbers
  const data: object[] = []
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_PER_TURN === TEXTS_PER_TURN - 1) await yieldToEventLoop()
    const features = typeof text === 'string' ? featuresOf(text) : featuresOfTokens(text)
    const embedding = encode(vectorOf(features, asked.dimensions ?? DIMENSIONS))
    data.push({ object: 'embedding', index, embedding })
  }
  const tokens = totalTokens(texts)
  sendJson(response, 200, {
    object: 'list',
    data,
    model: asked.model,
    system_fingerprint: 'tollgate-sandbox',
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  })
}

function wrongTexts(texts: readonly OneText[]): string | null {
  if (texts.includes('')) return 'input: an empty text has no embedding'
  if (texts.some((text) => tokensOf(text) > TOKENS_PER_TEXT_MAX)) {
    return `input: a text is longer than ${TOKENS_PER_TEXT_MAX} tokens`
  }
  return totalTokens(texts) > TOKENS_MAX ? `input: more than ${TOKENS_MAX} tokens in all` : null
}

function totalTokens(texts: readonly OneText[]): number {
  return texts.reduce((sum, text) => sum + tokensOf(text), 0)
}

/** Nine digits say all that 32 bits hold. */
function asNumbers(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Number(value.toPrecision(9)))
}

/** 32-bit floats, little-endian whatever the machine. */
function asBase64(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}
