import { kindOf } from '../../platform/documents/documentKind.ts'
import { DocumentReader } from '../../platform/documents/documentReader.ts'
import { ReadersBusy, Unreadable } from '../../platform/documents/unreadable.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import { sendJson } from '../../platform/http/answers.ts'
import type { KeyedExchange } from '../exchange.ts'
import { GatewayError } from '../gatewayError.ts'
import type { GatewayParts } from '../parts.ts'
import { type ParseRequest, readParseRequest } from './parseRequest.ts'
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
  if ('text' in request) return request.text
  try {
    return await documents.read(kindOf(request.file), request.file.bytes)
  } catch (error) {
    if (error instanceof Unreadable) throw new GatewayError('invalidRequest', error.message)
    if (error instanceof ReadersBusy) throw new GatewayError('unavailable', error.message, { retryAfterSeconds: 5 })
    throw error
  }
}
