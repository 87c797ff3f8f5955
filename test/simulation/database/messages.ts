/** The messages of PostgreSQL's wire protocol, as far as the multiplexer has to know them. */

export type Message = { readonly type: string; readonly bytes: Buffer }

const HEADER_BYTES = 5

/** Splits a stream of bytes into messages. The first message of a client has no type. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0)
  #awaitsStartup: boolean

  constructor(awaitsStartup = false) {
    this.#awaitsStartup = awaitsStartup
  }

  read(chunk: Uint8Array): Message[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk])
    const messages: Message[] = []
    for (;;) {
      const typeBytes = this.#awaitsStartup ? 0 : 1
      if (this.#rest.length < 4 + typeBytes) return messages
      const length = this.#rest.readInt32BE(typeBytes) + typeBytes
      if (this.#rest.length < length) return messages
      const bytes = this.#rest.subarray(0, length)
      messages.push({ type: this.#awaitsStartup ? 'startup' : String.fromCharCode(bytes[0] as number), bytes })
      this.#rest = this.#rest.subarray(length)
      this.#awaitsStartup = false
    }
  }
}

export const splitMessages = (bytes: Uint8Array): Message[] => new MessageReader().read(bytes)

export function message(type: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(HEADER_BYTES)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

export const query = (text: string): Buffer => message('Q', text)

export const readyForQuery = (status: string): Buffer => message('Z', Buffer.from(status))

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** What a server says to a client that has connected. */
export function greeting(connection: number): Buffer {
  const parameters = {
    server_version: '18.6',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  }
  return Buffer.concat([
    message('R', int32(0)),
    ...Object.entries(parameters).map(([name, value]) => message('S', name, value)),
    message('K', int32(connection), int32(0)),
    readyForQuery('I'),
  ])
}

const textAt = (bytes: Buffer, at: number): string => bytes.toString('utf8', at, bytes.indexOf(0, at))

export const queryText = ({ bytes }: Message): string => textAt(bytes, HEADER_BYTES)

/** Renames the prepared statement that a message names. */
export function renameStatement({ type, bytes }: Message, rename: (name: string) => string): Buffer {
  let at = HEADER_BYTES
  if (type === 'B') at = bytes.indexOf(0, at) + 1
  else if (type === 'D' || type === 'C') {
    if (bytes[at] !== 'S'.charCodeAt(0)) return bytes
    at += 1
  } else if (type !== 'P') return bytes
  const name = textAt(bytes, at)
  const end = at + Buffer.byteLength(name) + 1
  return message(type, bytes.subarray(HEADER_BYTES, at), rename(name), bytes.subarray(end))
}

export function statementName({ type, bytes }: Message): string {
  return textAt(bytes, type === 'B' ? bytes.indexOf(0, HEADER_BYTES) + 1 : HEADER_BYTES)
}

/** What a message that prepares a statement says besides its name: text and types. */
export function preparedText({ bytes }: Message): string {
  return bytes.toString('latin1', bytes.indexOf(0, HEADER_BYTES) + 1)
}

export type Notification = { readonly channel: string; readonly bytes: Buffer }

export function notificationOf({ bytes }: Message): Notification {
  return { channel: textAt(bytes, HEADER_BYTES + 4), bytes }
}
