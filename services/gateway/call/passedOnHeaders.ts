import type { IncomingMessage } from 'node:http'
import { invalidRequest } from '../gatewayError.ts'
import type { WireFormat } from '../wire/wireFormat.ts'

const HEADER_CHARS_MAX = 1_000
/** What a client library sends without a fault; anything else would be a failure of the provider's connection. */
const VISIBLE = /^[ -~]*$/

/** The headers of the caller that a provider gets; undefined if the API has none. */
export function passedOnHeaders(
  { passedOn }: Pick<WireFormat, 'passedOn'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Readonly<Record<string, string>> | undefined {
  if (passedOn === undefined) return undefined
  const found: Record<string, string> = {}
  for (const name of passedOn) {
    const value = headers[name]
    if (typeof value !== 'string') continue
    if (value.length > HEADER_CHARS_MAX || !VISIBLE.test(value)) {
      throw invalidRequest(`The header '${name}' must be at most ${HEADER_CHARS_MAX} visible ASCII characters.`)
    }
    found[name] = value
  }
  return found
}
