import { numberIn, ProtobufFields, textIn } from '../connection/protobufFields.ts'

/** An event as the server sends it. Data and metadata are left undecoded, because they may be another application's. */
export type SentEvent = {
  readonly id: string
  readonly stream: string
  readonly revision: number
  /** Null from servers that do not send it. */
  readonly commit: number | null
  readonly type: string
  readonly isJson: boolean
  readonly createdMs: number
  readonly data: Buffer
  readonly metadata: Buffer
}

/** What the server sends on a read or a subscription. */
export type ReadMessage =
  | { readonly kind: 'event'; readonly event: SentEvent; readonly bytes: number }
  /** A filtered subscription has passed this position. */
  | { readonly kind: 'checkpoint'; readonly commit: number }
  /** A subscription has sent everything that is stored. */
  | { readonly kind: 'caughtUp' }
  | { readonly kind: 'streamNotFound' }
  | { readonly kind: 'other' }

const OTHER: ReadMessage = { kind: 'other' }
const CAUGHT_UP: ReadMessage = { kind: 'caughtUp' }
const STREAM_NOT_FOUND: ReadMessage = { kind: 'streamNotFound' }
const NOTHING = Buffer.alloc(0)
/** The server counts in units of 100 ns. As a number, the time would lose its last digits. */
const TICK_DIGITS_PER_MS = 4

/** Decodes event_store.client.streams.ReadResp. */
export function readMessage(bytes: Buffer): ReadMessage {
  const fields = new ProtobufFields(bytes)
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    switch (field) {
      case 1:
        return eventMessage(fields.message(), bytes.length)
      case 3:
        return { kind: 'checkpoint', commit: numberIn(fields.message(), 1) }
      case 4:
        return STREAM_NOT_FOUND
      case 8:
        return CAUGHT_UP
      default:
        fields.skip()
    }
  }
  return OTHER
}

/** ReadResp.ReadEvent: the event itself, as links are not resolved. */
function eventMessage(fields: ProtobufFields, bytes: number): ReadMessage {
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) return { kind: 'event', event: recordedEvent(fields.message()), bytes }
    fields.skip()
  }
  return OTHER
}

/** ReadResp.ReadEvent.RecordedEvent. */
function recordedEvent(fields: ProtobufFields): SentEvent {
  let id = ''
  let stream = ''
  let revision = 0
  let commit: number | null = null
  let type = ''
  let isJson = false
  let createdMs = 0
  let data: Buffer = NOTHING
  let metadata: Buffer = NOTHING
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    switch (field) {
      case 1:
        id = textIn(fields.message(), 2)
        break
      case 2:
        stream = textIn(fields.message(), 3)
        break
      case 3:
        revision = fields.number()
        break
      case 5:
        commit = fields.number()
        break
      case 6: {
        const [key, value] = entry(fields.message())
        if (key === 'type') type = value
        else if (key === 'created') createdMs = Number(value.slice(0, -TICK_DIGITS_PER_MS))
        else if (key === 'content-type') isJson = value === 'application/json'
        break
      }
      case 7:
        metadata = fields.bytes()
        break
      case 8:
        data = fields.bytes()
        break
      default:
        fields.skip()
    }
  }
  return { id, stream, revision, commit, type, isJson, createdMs, data, metadata }
}

/** An entry of map<string, string>. */
function entry(fields: ProtobufFields): [key: string, value: string] {
  let key = ''
  let value = ''
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) key = fields.text()
    else if (field === 2) value = fields.text()
    else fields.skip()
  }
  return [key, value]
}
