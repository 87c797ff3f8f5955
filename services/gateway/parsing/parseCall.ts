import { sendJson } from '../../platform/http/answers.ts'
import type { KeyedExchange } from '../exchange.ts'
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
  const { request, response, headers } = exchange
  const text = await textOf(await readParseRequest(request))
  const { profile, creditsCharged } = await parseText(parts, exchange, target, text, response)
  headers['x-credits-charged'] = creditsCharged
  sendJson(response, 200, profile, headers)
}

async function textOf(request: ParseRequest): Promise<string> {
  return 'text' in request ? request.text : documents.read(kindOf(request.file), request.file.bytes)
}
