import { hash } from 'node:crypto'
import type { JsonObject, RecordedEvent } from '../../contracts/envelope.ts'
import { canonicalJson, canonicalJsonWith, canonicalString } from './canonicalJson.ts'
import { type Hash, sha256 } from './hashes.ts'
import { type SaltSecret, WITHHELD_PREFIX } from './saltSecret.ts'

/** Also separates the domain of its hash: no other hash of this system begins with these bytes. */
const ENTRY_PREFIX = 'tollgate/leaf/v1\n'

/** What a call costs us stays internal: a receipt contains only a hash of these fields. */
const WITHHELD_FIELDS = ['provider', 'costMicros', 'costCurrency'] as const

/** A ledger event as the log records it and a receipt shows it. */
export type EntryEvent = {
  readonly stream: string
  /** Counts the company's entries from 0. Unlike the revision, it is the same in every store after a restore. */
  readonly number: number
  readonly id: string
  readonly type: string
  /** ISO 8601; when the event was first stored. */
  readonly time: string
  /** The data in the version that was stored; `withheld`, a hash in base64, replaces the withheld fields. */
  readonly data: JsonObject
}

/** The end of a company's entries, which the next entry continues. */
export type ChainHead = {
  /** Of the next entry. */
  readonly number: number
  /** The previous entry, in base64; null before the first. */
  readonly previous: string | null
}

/** Everything that an entry is computed from. */
export type EntrySource = {
  readonly event: EntryEvent
  /** The entry of the company's previous event; null for its first. */
  readonly previous: Hash | null
  readonly salt: Uint8Array
}

/** `number` and `previous` continue the entries of the company that has this secret. */
export function entrySource(
  stored: RecordedEvent,
  { number, previous }: { readonly number: number; readonly previous: Hash | null },
  secret: SaltSecret,
): EntrySource {
  const { stream, id, type } = stored
  const data = shownData(stored.data, secret, id)
  const salt = Buffer.from(secret.saltOf(id), 'latin1')
  return { event: { stream, number, id, type, time: timeOf(stored), data }, previous, salt }
}

/** When an event was first stored. */
export const timeOf = ({ metadata, recordedAt }: RecordedEvent): string => metadata.recordedAt ?? recordedAt

/** The 32 bytes that the log contains for an event: a leaf of the tree is their hash. */
export function entryOf({ event, previous, salt }: EntrySource): Hash {
  const head = { number: event.number, previous: previous === null ? null : Buffer.from(previous).toString('base64') }
  return entryHash(event, event.time, canonicalJson(event.data), head, Buffer.from(salt).toString('latin1'))
}

/** The entry of a stored event, as from `entryOf`, without what only a receipt needs. */
export function storedEntry(stored: RecordedEvent, head: ChainHead, secret: SaltSecret): Buffer {
  const { id } = stored
  return entryHash(stored, timeOf(stored), shownText(stored.data, secret, id), head, secret.saltOf(id))
}

function entryHash(
  { stream, id, type }: Pick<EntryEvent, 'stream' | 'id' | 'type'>,
  time: string,
  dataText: string,
  { number, previous }: ChainHead,
  salt: string,
): Buffer {
  // The names of an entry, in canonical order.
  const text =
    `{"data":${dataText},"id":${canonicalString(id)},"number":${canonicalJson(number)},` +
    `"previous":${canonicalJson(previous)},"stream":${canonicalString(stream)},"time":${canonicalString(time)},` +
    `"type":${canonicalString(type)}}`
  return sha256(salted(ENTRY_PREFIX, salt, text))
}

/** The data of an event with a hash in place of the withheld fields. */
function shownData(data: JsonObject, secret: SaltSecret, eventId: string): JsonObject {
  const withheld = withheldHash(data, secret, eventId)
  if (withheld === null) return data
  const { provider: _provider, costMicros: _costMicros, costCurrency: _costCurrency, ...shown } = data
  return { ...shown, withheld }
}

const withheldText = canonicalJsonWith(WITHHELD_FIELDS, 'withheld')

/** The canonical JSON of `shownData`. */
function shownText(data: JsonObject, secret: SaltSecret, eventId: string): string {
  const withheld = withheldHash(data, secret, eventId)
  return withheld === null ? canonicalJson(data) : withheldText(data, withheld)
}

/** In base64; null if the event has no withheld fields. */
function withheldHash(data: JsonObject, secret: SaltSecret, eventId: string): string | null {
  if (!WITHHELD_FIELDS.some((name) => name in data)) return null
  if ('withheld' in data) throw new Error(`event ${eventId} has a field of its own with the name withheld`)
  const fields: Record<string, unknown> = {}
  for (const name of WITHHELD_FIELDS) if (name in data) fields[name] = data[name]
  const bytes = salted(WITHHELD_PREFIX, secret.withheldSaltOf(eventId), canonicalJson(fields))
  return hash('sha256', bytes, 'base64')
}

/** Hashing is synchronous, so one buffer serves every text that fits. */
const scratch = Buffer.alloc(16 * 1024)
/** UTF-8 takes at most three bytes per code unit. */
const UTF8_BYTES_MAX = 3

/** The hashed bytes: the prefix, the salt, of one byte per character, and the text. */
function salted(prefix: string, salt: string, text: string): Uint8Array {
  const room = prefix.length + salt.length + text.length * UTF8_BYTES_MAX
  const bytes = room <= scratch.length ? scratch : Buffer.alloc(room)
  const afterPrefix = bytes.write(prefix, 'latin1')
  const afterSalt = afterPrefix + bytes.write(salt, afterPrefix, 'latin1')
  return bytes.subarray(0, afterSalt + bytes.write(text, afterSalt))
}
