import type { SigningKey } from '../../platform/secrets/noteKeys.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import type { KeyRotation } from './keyRotation.ts'
import { openNote } from './note.ts'

export type RecordedRotation = KeyRotation & {
  /** The revision in the stream of checkpoints. */
  readonly number: number
  readonly note: string
}

/** What the log has recorded about the keys of an origin. */
export type KeyHistory = {
  readonly origin: string
  /** Oldest first. */
  readonly rotations: readonly RecordedRotation[]
  /** The notes of the first and of the latest checkpoint; null before the first. */
  readonly first: string | null
  readonly last: string | null
}

export async function readKeyHistory(sql: Sql, origin: string): Promise<KeyHistory> {
  const rotations = await readRotations(sql, origin)
  const [row] = await sql.query<{ first: string | null; last: string | null }>(
    `select (select note from ledger_log.checkpoints where origin = $1 order by size, number limit 1) as first,
            (select note from ledger_log.checkpoints where origin = $1 order by size desc, number desc limit 1) as last`,
    [origin],
  )
  return { origin, rotations, first: row?.first ?? null, last: row?.last ?? null }
}

/** The replaced keys of one origin or of all, oldest first. */
export async function readRotations(sql: Sql, origin: string | null): Promise<RecordedRotation[]> {
  const rows = await sql.query<RotationRow>(
    `select number, origin, size, old_vkey, new_vkey, note, rotated_at from ledger_log.key_rotations
     where origin = coalesce($1, origin) order by number`,
    [origin],
  )
  return rows.map((row) => ({ ...row, number: Number(row.number), size: Number(row.size) }))
}

type RotationRow = Omit<RecordedRotation, 'number' | 'size'> & { number: string; size: string }

/** Whether readers of the log know the key that is about to sign. */
export type KeyStanding =
  | { readonly kind: 'known' }
  /** Readers know `from`, which must therefore name the new key first. */
  | { readonly kind: 'successor'; readonly from: SigningKey }
  | { readonly kind: 'unknown'; readonly reason: string }

const KNOWN: KeyStanding = { kind: 'known' }

export function standingOf(
  { origin, rotations, first, last }: KeyHistory,
  [newest, ...older]: readonly [SigningKey, ...SigningKey[]],
): KeyStanding {
  const latest = rotations.at(-1)
  if (latest?.newVkey === newest.vkey) return KNOWN
  const replaced = rotations.find(({ oldVkey }) => oldVkey === newest.vkey)
  if (replaced) {
    return unknown(
      `LOG_SIGNING_KEY begins with ${newest.vkey}, which was replaced by ${replaced.newVkey} when the log had ` +
        `${replaced.size} entries: a key that was replaced does not sign again, so put the newest key first`,
    )
  }
  if (latest) {
    const from = older.find(({ vkey }) => vkey === latest.newVkey)
    return from ? { kind: 'successor', from } : unknown(missing(origin, newest, `${latest.newVkey} is its key`))
  }
  // Before rotations were recorded, keys were replaced without a trace: the first key's signatures reveal it.
  if (first === null || last === null || isSignedBy(first, newest)) return KNOWN
  const from = older.find((key) => isSignedBy(first, key)) ?? older.find((key) => isSignedBy(last, key))
  if (from) return { kind: 'successor', from }
  return isSignedBy(last, newest) ? KNOWN : unknown(missing(origin, newest, 'another key has signed its checkpoints'))
}

const unknown = (reason: string): KeyStanding => ({ kind: 'unknown', reason })

const missing = (origin: string, { vkey }: SigningKey, why: string): string =>
  `LOG_SIGNING_KEY has the key ${vkey}, which the readers of the log ${origin} do not know (${why}): set ` +
  'LOG_SIGNING_KEY=<new>,<old> with the key that signed before; if that is lost, "npm run admin -- log-origin" starts a new origin'

/** A wrong signature of the key counts as none. */
export function isSignedBy(note: string, key: SigningKey): boolean {
  try {
    openNote(note, [key])
    return true
  } catch {
    return false
  }
}

/** The verifier keys that readers of the log need, the current one first, and how each succeeded the one before. */
export function publishedKeys(
  history: KeyHistory,
  keys: readonly [SigningKey, ...SigningKey[]],
): { readonly vkeys: readonly string[]; readonly rotations: readonly RecordedRotation[] } {
  const rotations = history.rotations.toReversed()
  const [latest] = rotations
  if (latest) return { vkeys: [latest.newVkey, ...rotations.map(({ oldVkey }) => oldVkey)], rotations }
  // A key that has signed nothing of this log is not one of its keys.
  const isKnown = standingOf(history, keys).kind !== 'unknown'
  return { vkeys: isKnown ? keys.map(({ vkey }) => vkey) : [], rotations }
}
