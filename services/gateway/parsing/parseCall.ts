import { systemClock } from '../../platform/clock/clock.ts'
import { kindOf } from '../../platform/documents/documentKind.ts'
import { DocumentReader } from '../../platform/documents/documentReader.ts'
import { ReadersBusy, Unreadable } from '../../platform/documents/unreadable.ts'
import type { ParseTarget } from '../../platform/extraction/parseTarget.ts'
import { sendJson } from '../../platform/http/answers.ts'
import { billedCall } from '../call/billedCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import type { ParseRequest } from './parseRequest.ts'
import { parseText } from './parseText.ts'

/** One for the process, so that its threads and its queue have one limit. */
const documents = new DocumentReader(systemClock)

/** The handler of a parse route: the text of the body, the profile, and an answer that waits for its charge. */
export function parseCall(deps: GatewayDependencies, target: ParseTarget) {
  const make = async (context: RequestContext, request: ParseRequest) => {
    const { profile, creditsCharged } = await parseText(deps, context, target, await textOf(request))
    context.response.setHeader('x-credits-charged', creditsCharged)
    sendJson(context.response, 200, profile)
  }
  return billedCall(deps, { endpoint: target.endpoint, askedBytes, make })
}

/** Without the multipart framing: a client that sends a file again chooses another boundary. */
function askedBytes(request: ParseRequest): Buffer {
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
