import { parseCheckpoint } from '../../../capabilities/transparency/checkpoint.ts'
import { openNote } from '../../../capabilities/transparency/note.ts'
import { scrubEntries } from '../../../capabilities/transparency/sealing/scrub.ts'
import type { ScrubState } from '../../../capabilities/transparency/sealing/scrubTable.ts'
import { readProgress } from '../../../capabilities/transparency/sealing/tables.ts'
import type { SigningKeys } from '../../../capabilities/transparency/signingKeys.ts'
import type { EventMetadata, NewEvent } from '../../../contracts/envelope.ts'
import { ledgerEvents } from '../../../contracts/events/ledger.ts'
import { CHECKPOINTS_STREAM, streamName } from '../../../contracts/streams.ts'
import { EVENTS_PER_APPEND_MAX } from '../../../platform/eventStore/eventGuard.ts'
import type { EventStore, ReadAllOptions } from '../../../platform/eventStore/port.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { Metrics } from '../../../platform/metrics/metrics.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { parseVerifierKey, signingKey } from '../../../platform/secrets/noteKeys.ts'
import type { RunningService } from '../../../platform/service.ts'
import { startSealer } from '../../../services/reactor/sealer/sealer.ts'
import { collect } from '../events/events.ts'
import { charged } from '../events/ledgerEvents.ts'
import { ManualClock } from '../time/manualClock.ts'
import { until } from '../time/until.ts'

/** The test's time runs faster than the database answers. A sealer that stops releases its lease. */
const LEASE_MS = 60_000
/** Short, so that a test does not wait long for the scrub after the one that had begun before it changed something. */
export const SCRUB_INTERVAL_MS = 10_000
const SEED = Buffer.alloc(32, 7)
export const ORIGIN = 'log.example'

/** The keys of a log, from one seed. */
export const testSigningKeys: SigningKeys = { origin: ORIGIN, of: (origin) => [signingKey(origin, SEED)] }
/** What an outsider needs to verify its notes. */
export const verifierKey = (origin = ORIGIN) => parseVerifierKey(signingKey(origin, SEED).vkey)

/** Sealers on one store, whose time the test moves. */
export class SealedTransparencyLog {
  readonly clock = new ManualClock()
  readonly metrics: Metrics[] = []
  readonly database: PostgresDatabase
  readonly store: EventStore
  /** Of the sealers that start next. */
  keys = testSigningKeys
  scrubShare = 1
  readonly #sealers: RunningService[] = []

  constructor(database: PostgresDatabase, store: EventStore) {
    this.database = database
    this.store = store
  }

  /** Appends charges to the ledger of a company, and returns their ids. */
  async charge(companyId: string, count = 1, metadata: Partial<EventMetadata> = {}): Promise<string[]> {
    const events = Array.from({ length: count }, () => chargeOf(companyId, metadata))
    for (let at = 0; at < count; at += EVENTS_PER_APPEND_MAX) {
      const part = events.slice(at, at + EVENTS_PER_APPEND_MAX)
      await this.store.append(streamName('ledger', companyId), 'any', part)
    }
    return events.map(({ id }) => id)
  }

  start(store: EventStore = this.store, database: PostgresDatabase = this.database): RunningService {
    const { log } = openLog({ level: process.env.TEST_LOG_LEVEL ?? 'silent', file: null })
    const engines = { database, storeAsWritten: store }
    const metrics = new Metrics()
    this.metrics.push(metrics)
    const config = { LOG_SCRUB_SHARE: this.scrubShare, LOG_SCRUB_INTERVAL_MS: SCRUB_INTERVAL_MS }
    const parts = { config, engines, keys: this.keys, clock: this.clock, ids: systemIds, log, metrics }
    const sealer = startSealer({ ...parts, leaseMs: LEASE_MS })
    this.#sealers.push(sealer)
    return sealer
  }

  /** Advances the clock until the condition holds. */
  until<Found>(what: string, condition: () => Promise<Found | false | null | undefined>): Promise<Found> {
    return until(what, async () => {
      await this.clock.advance(500)
      return condition()
    })
  }

  /** Waits until a checkpoint of this size is shown, and verifies it as an outsider would. */
  async signed(size: number, origin = ORIGIN): Promise<void> {
    const note = await this.until(`a checkpoint of ${size} entries is signed`, async () => {
      const [row] = await this.database.query<{ note: string }>(
        'select note from ledger_log.checkpoints where size = $1 and origin = $2',
        [size, origin],
      )
      return row?.note
    })
    const checkpoint = parseCheckpoint(openNote(note, [verifierKey(origin)]))
    if (checkpoint.size !== size || checkpoint.origin !== origin) throw new Error(`the note is of ${checkpoint.size}`)
  }

  faulty(): Promise<{ readonly fault: string; readonly faultEvent: string | null }> {
    return this.until('the fault is stored', async () => {
      const { fault, faultEvent } = await readProgress(this.database)
      return fault === null ? null : { fault, faultEvent }
    })
  }

  async checkpoints() {
    return collect(this.store.readStream(CHECKPOINTS_STREAM))
  }

  async entries(): Promise<{ eventId: string; entry: string; number: string; companyId: string }[]> {
    return this.database.query(
      "select event_id, encode(entry, 'hex') as entry, number, company_id from ledger_log.entries order by index",
    )
  }

  /** Compares the whole store with the log at once. */
  scrub(): Promise<{ readonly entries: number }> {
    const { database: sql, store, clock } = this
    return scrubEntries({ sql, store, clock, timeShare: 1 }, new AbortController().signal)
  }

  /** Compares the store with the log in small pages, and again from each place where that could be interrupted. */
  async scrubFromEverywhere(limit: number): Promise<number> {
    const { database: sql, clock, store: whole } = this
    const store = new Proxy(whole, {
      get: (target, name) => {
        if (name === 'readAll') return (options: ReadAllOptions) => target.readAll({ ...options, limit })
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const states: ScrubState[] = []
    const onPage = async (state: ScrubState) => void states.push(state)
    const { signal } = new AbortController()
    const { entries } = await scrubEntries({ sql, store, clock, timeShare: 1, onPage }, signal)
    for (const resume of states) {
      const resumed = await scrubEntries({ sql, store, clock, timeShare: 1, resume }, signal)
      if (resumed.entries !== entries) throw new Error(`resumed at ${resume.size}, it ended at ${resumed.entries}`)
    }
    return states.length
  }

  async stop(): Promise<void> {
    for (const sealer of this.#sealers.splice(0)) await sealer.drain(10_000)
  }
}

export function chargeOf(companyId: string, metadata: Partial<EventMetadata> = {}): NewEvent {
  const { type, data } = charged(companyId, { provider: 'first', costMicros: '7', costCurrency: 'usd' })
  const id = data.callId
  const cause = { correlationId: id, causationId: id, actor: { kind: 'system', name: 'test' } } as const
  return { id, type, data, metadata: { schemaVersion: ledgerEvents.CallCharged.version, ...cause, ...metadata } }
}
