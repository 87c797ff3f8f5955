import { sendJson } from '../../platform/http/answers.ts'
import type { KeyedExchange } from '../exchange.ts'
import { answeredOnce } from '../idempotency/answeredOnce.ts'
import type { GatewayParts } from '../parts.ts'
import { kindOf } from './document/documentKind.ts'
import { DocumentReader } from './document/documentReader.ts'
import { type ParseRequest, readParseRequest } from './parseRequest.ts'
import type { ParseTarget } from './parseTarget.ts'
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
  return 'text' in request ? request.text : documents.read(kindOf(request.file), request.file.bytes)
}
