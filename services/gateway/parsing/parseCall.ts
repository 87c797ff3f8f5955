import { kindOf } from '../../platform/documents/documentKind.ts'
import { DocumentReader } from '../../platform/documents/documentReader.ts'
import { ReadersBusy, Unreadable } from '../../platform/documents/unreadable.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import { sendJson } from '../../platform/http/answers.ts'
import type { KeyedExchange } from '../exchange.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import { answeredOnce } from '../idempotency/answeredOnce.ts'
import type { GatewayParts } from '../parts.ts'
import { type ParseRequest, readParseRequest } from './parseRequest.ts'
import { parseText } from './parseText.ts'

/** One for the process: its threads and its queue are bounded together. */
const documents = new DocumentReader()

/** A parse call over HTTP: the body's text, the profile, and an answer that waits for its charge. */
export async function parseCall(parts: GatewayParts, exchange: KeyedExchange, target: ParseTarget): Promise<void> {
  const request = await readParseRequest(exchange.request)
  const sent = bytesOf(request)
  await answeredOnce(parts, exchange, target.endpoint, sent, (named) => parseOne(parts, named, target, request))
}

async function parseOne(
  parts: GatewayParts,
  exchange: KeyedExchange,
  target: ParseTarget,
  request: ParseRequest,
): Promise<void> {
  const { response, headers } = exchange
  const text = await textOf(request)
  const { profile, creditsCharged } = await parseText(parts, exchange, target, text, response)
  headers['x-credits-charged'] = creditsCharged
  sendJson(response, 200, profile, headers)
}

/** Of what was sent, all that matters: a client that sends a file again separates its parts in another way. */
function bytesOf(request: ParseRequest): Buffer {
  if ('text' in request) return Buffer.from(JSON.stringify([request.text]))
  const { name, contentType, bytes } = request.file
  return Buffer.concat([Buffer.from(JSON.stringify([name, contentType])), bytes])
}

async function textOf(request: ParseRequest): Promise<string> {
  if ('text' in request) return request.text
  try {
    return await documents.read(kindOf(request.file), request.file.bytes)
  } catch (error) {
    if (error instanceof Unreadable) throw invalidRequest(error.message)
    if (error instanceof ReadersBusy) throw new GatewayError('unavailable', error.message, { retryAfterSeconds: 5 })
    throw error
  }
}
