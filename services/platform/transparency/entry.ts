import { createHmac, type KeyObject } from 'node:crypto'
import type { JsonObject, RecordedEvent } from '../../../contracts/envelope.ts'
import { canonicalJson } from './canonicalJson.ts'
import { type Hash, sha256 } from './hashes.ts'

/** Also the domain separation of its hash: no other hash of this system begins with these bytes. */
const ENTRY_PREFIX = 'tollgate/leaf/v1\n'
const WITHHELD_PREFIX = 'tollgate/withheld/v1\n'

/** What a call costs us stays internal: a receipt shows only a hash of these fields of an event. */
const WITHHELD_FIELDS = ['provider', 'costMicros', 'costCurrency'] as const

/** A ledger event as the log records it and a receipt shows it. */
export type LoggedEvent = {
  readonly stream: string
  /** Counts the company's entries from 0. Unlike the revision, it is the same in every store after a restore. */
  readonly number: number
  readonly id: string
  readonly type: string
  /** ISO 8601; when the event was first stored. */
  readonly time: string
  /** As stored, in the version that was stored; with `withheld`, a hash in base64, in place of the withheld fields. */
  readonly data: JsonObject
}

/** Everything that an entry is computed from. */
export type EntrySource = {
  readonly event: LoggedEvent
  /** The entry of the company's event before this one; null for its first. */
  readonly previous: Hash | null
  readonly salt: Uint8Array
}

/**
 * Derives from the company's log secret, so that one salt says nothing about other entries. The secret is a key
 * object: preparing it takes longer than the rest, and one serves all entries of a company.
 */
export const saltOf = (secret: KeyObject, eventId: string): Uint8Array =>
  createHmac('sha256', secret).update(eventId).digest()

/** `number` and `previous` continue the chain of the company whose secret it is. */
export function entrySource(
  stored: RecordedEvent,
  chain: { readonly number: number; readonly previous: Hash | null },
  secret: KeyObject,
): EntrySource {
  const { stream, id, type, metadata, recordedAt } = stored
  const time = metadata.recordedAt ?? recordedAt
  const data = withholding(stored.data, secret, id)
  return {
    event: { stream, number: chain.number, id, type, time, data },
    previous: chain.previous,
    salt: saltOf(secret, id),
  }
}

/** The 32 bytes that the log contains for an event: a leaf of the tree is their hash. */
export function entryOf({ event, previous, salt }: EntrySource): Hash {
  const { stream, number, id, type, time, data } = event
  const before = previous === null ? null : Buffer.from(previous).toString('base64')
  const text = canonicalJson({ stream, number, id, type, time, data, previous: before })
  return saltedHash(ENTRY_PREFIX, salt, text)
}

/** Providers and costs can be guessed, so the salt of their hash is not the one that a receipt reveals. */
function withholding(data: JsonObject, secret: KeyObject, eventId: string): JsonObject {
  if (!WITHHELD_FIELDS.some((name) => name in data)) return data
  if ('withheld' in data) throw new Error(`event ${eventId} has a field of its own with the name withheld`)
  const { provider: _provider, costMicros: _costMicros, costCurrency: _costCurrency, ...shown } = data
  const fields: Record<string, unknown> = {}
  for (const name of WITHHELD_FIELDS) if (name in data) fields[name] = data[name]
  const salt = saltOf(secret, `${WITHHELD_PREFIX}${eventId}`)
  const digest = saltedHash(WITHHELD_PREFIX, salt, canonicalJson(fields))
  return { ...shown, withheld: Buffer.from(digest).toString('base64') }
}

/** Hashing is synchronous, so one buffer serves every text that fits. */
const scratch = Buffer.alloc(16 * 1024)
/** UTF-8 has at most three bytes for each code unit. */
const UTF8_BYTES_MAX = 3

function saltedHash(prefix: string, salt: Uint8Array, text: string): Hash {
  const room = prefix.length + salt.length + text.length * UTF8_BYTES_MAX
  const bytes = room <= scratch.length ? scratch : Buffer.alloc(room)
  const afterPrefix = bytes.write(prefix, 'latin1')
  bytes.set(salt, afterPrefix)
  const afterSalt = afterPrefix + salt.length
  return sha256(bytes.subarray(0, afterSalt + bytes.write(text, afterSalt)))
}
