import { createHash, createHmac } from 'node:crypto'
import type { StoredEvent } from '../events.ts'

/** What a call costs the operator is in an entry only as a hash. */
const WITHHELD = ['provider', 'costMicros', 'costCurrency']

type Place = { readonly number: number; readonly previous: Buffer | null }

/** The 32 bytes that the log has for an event, as decision record 0023 says. */
export function entryOf(event: StoredEvent, { number, previous }: Place, secret: Buffer): Buffer {
  const { stream, id, type, metadata, recordedAt } = event
  const fields = Object.entries(event.data as Record<string, unknown>)
  const hidden = fields.filter(([name]) => WITHHELD.includes(name))
  const shown = Object.fromEntries(fields.filter(([name]) => !WITHHELD.includes(name)))
  const prefix = 'tollgate/withheld/v1\n'
  const withheld = () =>
    sha256(prefix, hmac(secret, prefix + id), canonical(Object.fromEntries(hidden))).toString('base64')
  const data = hidden.length === 0 ? shown : { ...shown, withheld: withheld() }
  const time = metadata.recordedAt ?? recordedAt
  const text = canonical({ stream, number, id, type, time, data, previous: previous?.toString('base64') ?? null })
  return sha256('tollgate/leaf/v1\n', hmac(secret, id), text)
}

/** JSON as in RFC 8785. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`).join()}}`
}

function hmac(secret: Buffer, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
