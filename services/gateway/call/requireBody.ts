import type { IncomingMessage } from 'node:http'
import { REQUEST_BODY_BYTES_MAX } from '../../../contracts/limits.ts'
import { readBody } from '../../platform/http/requestBody.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'

export type BodyLimit = { readonly bytesMax: number; readonly tooLarge: string }

const CALL_BODY: BodyLimit = {
  bytesMax: REQUEST_BODY_BYTES_MAX,
  tooLarge: `The body is larger than ${REQUEST_BODY_BYTES_MAX} bytes.`,
}

/** The whole body of a request, or the refusal that says why there is none. */
export async function requireBody(request: IncomingMessage, limit: BodyLimit = CALL_BODY): Promise<Buffer> {
  const body = await readBody(request, limit.bytesMax)
  switch (body) {
    case 'too large':
      throw new GatewayError('bodyTooLarge', limit.tooLarge)
    case 'encoded':
      throw new GatewayError(
        'bodyEncoded',
        'A compressed body is not taken; send it as it is, without content-encoding.',
      )
    case 'aborted':
      throw invalidRequest('The body ended before it was complete.')
    default:
      return body
  }
}
