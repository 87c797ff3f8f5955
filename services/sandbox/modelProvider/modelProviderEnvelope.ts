import { jsonReply } from '../../../platform/http/answer/reply.ts'
import type { Envelope } from '../../../platform/http/route.ts'

/** Errors in the format of the chat-completion wire, marked as the sandbox's own. */
export const modelProviderEnvelope: Envelope = ({ status, message, headers }) => {
  const type = status < 500 ? 'invalid_request_error' : 'api_error'
  return jsonReply(status, { error: { message: `sandbox: ${message}`, type, code: null } }, headers)
}
