import { type StreamName, streamName } from '../../../contracts/streams.ts'

const PLAIN = /^[A-Za-z0-9][\w.-]*$/

/** A plain name is itself; any other stands as base64url behind a sign that no plain one begins with. */
export function roomStream(room: string): StreamName {
  return streamName('meeting', PLAIN.test(room) ? room : `~${Buffer.from(room).toString('base64url')}`)
}
