import { LIMITS } from '../../../contracts/limits.ts'
import { readBody } from '../../platform/http/requestBody.ts'
import type { Exchange } from '../exchange.ts'
import { GatewayError } from '../gatewayError.ts'

/** The whole body of a request, or the refusal that says why there is none. */
export async function requireBody({ request }: Exchange): Promise<Buffer> {
  const body = await readBody(request, LIMITS.requestBodyBytesMax)
  switch (body) {
    case 'too large':
      throw new GatewayError('bodyTooLarge', `The body is larger than ${LIMITS.requestBodyBytesMax} bytes.`)
    case 'encoded':
      throw new GatewayError(
        'bodyEncoded',
        'A compressed body is not taken; send it as it is, without content-encoding.',
      )
    case 'aborted':
      throw new GatewayError('invalidRequest', 'The body ended before it was complete.')
    default:
      return body
  }
}
