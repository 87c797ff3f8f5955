import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SavedKey } from '../../capabilities/personalData/personalData.ts'
import type { SavedSaltSecret } from '../../capabilities/transparency/savedSaltSecrets.ts'
import type { EventMetadata, JsonObject } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { UUID } from '../../contracts/uuid.ts'
import { eventOfLine } from './eventLine.ts'
import type { SavedEvent } from './savedEvent.ts'

/*
 * A backup is gzipped text with one JSON document per line:
 *   the header, with the format and the facts of the store;
 *   the events, in the order of the store;
 *   the keys that encrypt personal fields, without which these cannot be read;
 *   the log secrets of companies, without which their entries in the transparency log cannot be computed again;
 *   the end, with the counts, the position of the last event, and the SHA-256 of all bytes before it.
 * `gunzip -c <file> | sed '$d' | sha256sum` prints the same hash.
 */

export const FORMAT = 'tollgate-backup'
/** Version 1 had no keys, version 2 had no log secrets. */
export const FORMAT_VERSION = 3

export type Header = {
  readonly format: typeof FORMAT
  readonly version: number
  readonly createdAt: string
  /** The newest event of the store when the backup began; later events are not in the file. */
  readonly head: Position
  /** Whether the store keeps ids unique within a stream; otherwise the file may contain an event twice. */
  readonly idsAreUnique: boolean
}

export type End = {
  readonly events: number
  readonly personalKeys: number
  readonly logSecrets: number
  readonly position: Position
  readonly sha256: string
}

export type KeyLine = { readonly personalKey: SavedKey }
export type SecretLine = { readonly logSecret: SavedSaltSecret }

/** The facts about a complete file. */
export type BackupFacts = Omit<Header, 'format'> & End

/** 32 bytes in base64. */
const SALT_SECRET_CHARS = 44

const position = z.custom<Position>((value) => typeof value === 'string')
const object = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const headerLine: z.ZodType<Header> = z.strictObject({
  format: z.literal(FORMAT),
  version: z.int().min(1).max(FORMAT_VERSION),
  createdAt: z.string(),
  head: position,
  idsAreUnique: z.boolean(),
})

const endLine = z.strictObject({
  end: z.strictObject({
    events: z.int().nonnegative(),
    personalKeys: z.int().nonnegative().default(0),
    logSecrets: z.int().nonnegative().default(0),
    position,
    sha256: z.string(),
  }),
})

const eventLine: z.ZodType<SavedEvent> = z.strictObject({
  stream: z.string(),
  revision: z.int().nonnegative(),
  id: z.string(),
  type: z.string(),
  data: z.custom<JsonObject>(object),
  metadata: z.custom<EventMetadata>(object),
  recordedAt: z.string(),
  position,
})

const keyLine: z.ZodType<KeyLine> = z.strictObject({
  personalKey: z.strictObject({
    subject: z.string(),
    key: z.base64().nullable(),
    erasedAt: z.iso.datetime({ precision: 3 }).nullable(),
  }),
})

const secretLine: z.ZodType<SecretLine> = z.strictObject({
  logSecret: z.strictObject({
    companyId: z.string().regex(UUID),
    secret: z.base64().length(SALT_SECRET_CHARS),
    createdAt: z.iso.datetime({ precision: 3 }),
  }),
})

export function textLine(document: Header | SavedEvent | KeyLine | SecretLine | { readonly end: End }): string {
  return `${JSON.stringify(document)}\n`
}

/** null if the line is not the header of a backup. */
export function readHeader(line: string): Header | { readonly version: number } | null {
  const document = parsed(line)
  const header = headerLine.safeParse(document)
  if (header.success) return header.data
  const other = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(document)
  return other.success && other.data.version !== FORMAT_VERSION ? { version: other.data.version } : null
}

/** null if the line is neither an event nor a key nor a log secret nor the end. */
export function readLine(line: string): SavedEvent | KeyLine | SecretLine | { readonly end: End } | null {
  const inOurForm = eventOfLine(line)
  if (inOurForm) return inOurForm
  const document = parsed(line)
  const event = eventLine.safeParse(document)
  if (event.success) return event.data
  const key = keyLine.safeParse(document)
  if (key.success) return key.data
  const secret = secretLine.safeParse(document)
  if (secret.success) return secret.data
  const end = endLine.safeParse(document)
  return end.success ? end.data : null
}

export function contentHash() {
  return createHash('sha256')
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
