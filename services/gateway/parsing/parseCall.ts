import { kindOf } from '../../../capabilities/documents/documentKind.ts'
import { ReadersBusy, ReadingCanceled, Unreadable } from '../../../capabilities/documents/unreadable.ts'
import type { ParseTarget } from '../../../capabilities/extraction/parseTarget.ts'
import { jsonReply } from '../../../platform/http/answer/reply.ts'
import { sendReply } from '../../../platform/http/answer/sendReply.ts'
import { checkMayCall } from '../call/admission.ts'
import { billedCall } from '../call/billedCall.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import type { ParseRequest } from './parseRequest.ts'
import { extractAliasOf, parseText } from './parseText.ts'

const BUSY_RETRY_SECONDS = 5

/** The handler of a parse route: the text of the body, the profile, and an answer that waits for its charge. */
export function parseCall(deps: GatewayDependencies, target: ParseTarget) {
  const make = async (context: RequestContext, request: ParseRequest) => {
    const text = await textOf(deps, context, request)
    const { profile, creditsCharged } = await parseText(deps, context, target, text)
    context.response.setHeader('x-credits-charged', creditsCharged)
    sendReply(context.response, jsonReply(200, profile))
  }
  return billedCall(deps, { endpoint: target.endpoint, comparedBytes, make })
}

/** Without the multipart framing: a client that sends a file again chooses another boundary. */
function comparedBytes(request: ParseRequest): Buffer {
  if ('text' in request) return Buffer.from(JSON.stringify([request.text]))
  const { name, contentType, bytes } = request.file
  return Buffer.concat([Buffer.from(JSON.stringify([name, contentType])), bytes])
}

/** If the caller disconnects, its document leaves the queue or is no longer read. */
async function textOf(
  deps: Pick<GatewayDependencies, 'documents' | 'views' | 'clock' | 'companyCatchUp'>,
  { key, response }: RequestContext,
  request: ParseRequest,
): Promise<string> {
  if ('text' in request) return request.text
  // Documents are not read for a company that cannot pay.
  await checkMayCall(deps, key, extractAliasOf(key))
  const left = new AbortController()
  const leave = () => left.abort()
  response.once('close', leave)
  if (response.destroyed) leave()
  try {
    const { companyId } = key
    return await deps.documents.read(kindOf(request.file), request.file.bytes, { companyId, signal: left.signal })
  } catch (error) {
    if (error instanceof Unreadable) throw invalidRequest(error.message)
    if (error instanceof ReadersBusy && error.retryAfterMs !== null) {
      throw new GatewayError('rateLimited', error.message, { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1_000) })
    }
    if (error instanceof ReadersBusy || error instanceof ReadingCanceled) {
      throw new GatewayError('unavailable', error.message, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
    throw error
  } finally {
    response.removeListener('close', leave)
  }
}
