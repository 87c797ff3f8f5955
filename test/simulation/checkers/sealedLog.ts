import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { grouped, ofCategory, only, type StoredEvent, storedEvents } from './events.ts'
import { entryOf } from './log/entry.ts'
import { openCheckpoint, type VerifierKey, verifierKey } from './log/note.ts'
import { leafOf, rootOf, tilesOf } from './log/tree.ts'

/**
 * Every event of a ledger is sealed once and in order, as what it is; checkpoints extend each other and are signed; no
 * fault is stored. `vkey` is the key of the log, as its readers have it.
 */
export function sealedLog({ pglite, server }: Simulation, vkey: string): Checker {
  /** The notes that a reader has seen: none of them may change or vanish. */
  const shown = new Map<string, string>()
  return {
    invariant: 'every ledger event is sealed once, in order',
    watch: () => {
      if (!server.isFree) return null
      return faultOf(pglite) ?? coverOf()
    },
    end: () => {
      const events = storedEvents(pglite)
      return (
        faultOf(pglite) ?? coverOf() ?? earlyOf(pglite) ?? sealedOf(readLog(pglite), events, shown, verifierKey(vkey))
      )
    },
  }

  /** A checkpoint that is published covers entries that are stored. */
  function coverOf(): string | null {
    const [row] = rowsOf(
      pglite,
      `select (select count(*) from ledger_log.entries), (select coalesce(max(size), 0) from ledger_log.checkpoints),
         (select coalesce(max((data->>'size')::bigint), 0) from event_store.events where type = 'CheckpointSigned')`,
    )
    const [sealed, stored, published] = (row ?? []).map(Number)
    if (Number(stored) > Number(sealed)) return `a checkpoint covers ${stored} entries, and ${sealed} are stored`
    if (Number(published) > Number(sealed))
      return `a checkpoint of ${published} entries is published, ${sealed} are stored`
    const notes = rowsOf(pglite, `select number, note from ledger_log.checkpoints where number >= ${shown.size}`)
    for (const [number, note] of notes) shown.set(String(number), String(note))
    return null
  }
}

type Reading = Parameters<typeof rowsOf>[0]

function faultOf(pglite: Reading): string | null {
  const [row] = rowsOf(pglite, 'select fault, receipt_fault, key_fault from ledger_log.progress')
  const fault = row?.find((text) => text !== null)
  return fault === undefined ? null : `a fault of the log is stored: ${fault}`
}

/** Transactions have their ids in the order in which they ran, as they all share one session. */
function earlyOf(pglite: Reading): string | null {
  const [row] = rowsOf(
    pglite,
    `select signed.revision, entries.index from event_store.events signed join ledger_log.entries entries
       on entries.index < (signed.data->>'size')::bigint and entries.xmin::text::bigint > signed.xmin::text::bigint
     where signed.type = 'CheckpointSigned' limit 1`,
  )
  return row ? `checkpoint ${row[0]} was published before its entry ${row[1]} was stored` : null
}

/** The log as it is stored; bytes are in hex. */
export type StoredLog = {
  readonly entries: readonly {
    readonly entry: string
    readonly eventId: string
    readonly companyId: string
    readonly number: number
    readonly revision: number
  }[]
  readonly secrets: ReadonlyMap<string, string>
  readonly tiles: readonly { readonly name: string; readonly hashes: string; readonly groups: string | null }[]
  readonly checkpoints: readonly {
    readonly number: string
    readonly origin: string
    readonly size: number
    readonly root: string
    readonly note: string
    readonly signedMs: number
  }[]
}

function readLog(pglite: Reading): StoredLog {
  const entries = rowsOf(
    pglite,
    `select encode(entry, 'hex'), event_id, company_id, number, revision from ledger_log.entries order by index`,
  )
  const secrets = rowsOf(pglite, "select company_id, encode(secret, 'hex') from platform.log_secrets")
  const tiles = rowsOf(
    pglite,
    "select level, index, encode(hashes, 'hex'), encode(groups, 'hex') from ledger_log.tiles order by level, index",
  )
  const checkpoints = rowsOf(
    pglite,
    `select number, origin, size, encode(root, 'hex'), note, round(extract(epoch from signed_at) * 1000)
     from ledger_log.checkpoints order by number`,
  )
  return {
    entries: entries.map(([entry, eventId, companyId, number, revision]) => ({
      ...{ entry: String(entry), eventId: String(eventId), companyId: String(companyId) },
      ...{ number: Number(number), revision: Number(revision) },
    })),
    secrets: new Map(secrets.map(([company, secret]) => [String(company), String(secret)])),
    tiles: tiles.map(([level, index, hashes, groups]) => ({
      name: `${level}/${index}`,
      hashes: String(hashes),
      groups: groups ?? null,
    })),
    checkpoints: checkpoints.map(([number, origin, size, root, note, signedMs]) => ({
      ...{ number: String(number), origin: String(origin), size: Number(size) },
      ...{ root: String(root), note: String(note), signedMs: Number(signedMs) },
    })),
  }
}

/** What is wrong with a log that has come to rest; null if nothing is. */
export function sealedOf(
  log: StoredLog,
  events: readonly StoredEvent[],
  shown: ReadonlyMap<string, string>,
  key: VerifierKey,
): string | null {
  const ledger = ofCategory(events, 'ledger')
  const entries = entriesWrong(log, ledger)
  if (entries !== null) return entries
  const leaves = log.entries.map(({ entry }) => leafOf(Buffer.from(entry, 'hex')))
  const tiles = tilesWrong(log, leaves)
  return tiles ?? checkpointsWrong(log, leaves, events, shown, key)
}

function entriesWrong({ entries, secrets }: StoredLog, ledger: readonly StoredEvent[]): string | null {
  if (entries.length !== ledger.length) return `the log has ${entries.length} entries of ${ledger.length} events`
  const last = new Map<string, { number: number; entry: Buffer }>()
  for (const [index, event] of ledger.entries()) {
    const stored = entries[index]
    const companyId = event.stream.slice('ledger-'.length)
    const where = `entry ${index} (event ${event.id})`
    if (stored?.eventId !== event.id) return `${where} is of event ${stored?.eventId}`
    const before = last.get(companyId)
    const number = (before?.number ?? -1) + 1
    if (stored.companyId !== companyId || stored.number !== number || stored.revision !== event.revision) {
      return `${where} is number ${stored.number} of ${stored.companyId} at revision ${stored.revision}`
    }
    const secret = secrets.get(companyId)
    if (secret?.length !== 64) return `company ${companyId} has no secret of 32 bytes`
    const entry = entryOf(event, { number, previous: before?.entry ?? null }, Buffer.from(secret, 'hex'))
    if (entry.toString('hex') !== stored.entry) return `${where} is not what its event gives`
    last.set(companyId, { number, entry })
  }
  return null
}

function tilesWrong({ tiles }: StoredLog, leaves: readonly Buffer[]): string | null {
  const expected = tilesOf(leaves)
  if (tiles.length !== expected.length) return `the log has ${tiles.length} tiles, and not ${expected.length}`
  for (const [at, { level, index, hashes, groups }] of expected.entries()) {
    const stored = tiles[at]
    if (stored?.name !== `${level}/${index}`) return `tile ${level}/${index} is missing`
    if (stored.hashes !== hashes.toString('hex')) return `tile ${level}/${index} is not the one of the entries`
    if ((groups?.toString('hex') ?? null) !== stored.groups) return `tile ${level}/${index} has other groups`
  }
  return null
}

function checkpointsWrong(
  { checkpoints }: StoredLog,
  leaves: readonly Buffer[],
  events: readonly StoredEvent[],
  shown: ReadonlyMap<string, string>,
  key: VerifierKey,
): string | null {
  const published = new Map(only(events, 'CheckpointSigned').map((event) => [String(event.revision), event.data]))
  const byNumber = grouped(checkpoints, ({ number }) => number)
  for (const [number, note] of shown) {
    if (byNumber.get(number)?.[0]?.note !== note) return `checkpoint ${number} is no longer the one that was shown`
  }
  if (published.size !== checkpoints.length)
    return `${published.size} checkpoints of ${checkpoints.length} are published`
  let size = 0
  for (const checkpoint of checkpoints) {
    const name = `checkpoint ${checkpoint.number}`
    const opened = openCheckpoint(checkpoint.note, key)
    if (typeof opened === 'string') return `${name}: ${opened}`
    if (opened.size < size) return `${name} has ${opened.size} entries, fewer than the ${size} before it`
    size = opened.size
    const root = rootOf(leaves.slice(0, size))
    if (opened.root !== root.toString('base64')) return `${name} has another root than its ${size} entries`
    if (checkpoint.root !== root.toString('hex') || checkpoint.size !== size || checkpoint.origin !== opened.origin) {
      return `the row of ${name} differs from its note`
    }
    if (published.get(checkpoint.number)?.note !== checkpoint.note) return `${name} is not the one that was published`
    if (Math.floor(checkpoint.signedMs / 1_000) * 1_000 !== opened.signedMs) return `${name} was signed at another time`
  }
  return size === leaves.length ? null : `${size} of ${leaves.length} entries are signed`
}
