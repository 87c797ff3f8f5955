import { type StreamName, streamName } from '../../../contracts/streams.ts'

const PLAIN = /^[A-Za-z0-9][\w.-]*$/

/** The stream of a room. A name that is not plain is encoded as base64url after a tilde, which no plain name has. */
export function roomStream(room: string): StreamName<'meeting'> {
  return streamName('meeting', PLAIN.test(room) ? room : `~${Buffer.from(room).toString('base64url')}`)
}
