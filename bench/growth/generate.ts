import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Installation, OpenRuntime } from '../../capabilities/installation.ts'
import type { NewEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import type { AppendResult } from '../../platform/eventStore/port.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { catchUpTogether } from '../../projections/runner/catchUp.ts'
import { lowestPositions } from '../../projections/runner/checkpoints.ts'
import { createIndexes, dropIndexes, readSecondaryIndexes } from '../../projections/runner/secondaryIndexes.ts'
import { type Progress, progressBar } from '../../scripts/cli/progressBar.ts'
import { GenerationState, isWhole, readGenerated } from './generated.ts'
import { openPastInstallation, type PastInstallation } from './pastInstallation.ts'
import { type PastLedger, pastEvent } from './pastLedger.ts'
import { sealBeside } from './sealBeside.ts'

/**
 * How many events are appended together. They fit into one commit of the store: of two concurrent commits, the later
 * one may be stored first, and then the times of the ledger would go back.
 */
const CHUNK_EVENTS = 4_000
/** The longest delay of a timer. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1

export type Generation = {
  readonly dataDir: string
  readonly events: number
  /** The `systemClock.monotonicMs()` at which it stops, to be continued. */
  readonly endMs: number
}

/**
 * Creates or continues an installation with this many events: events appended by our own store, with times that a
 * restore would keep, the read models that our own catch-up builds from them, and the log of our own sealer. Returns
 * whether it is complete.
 */
export async function generate({ dataDir, events, endMs }: Generation): Promise<boolean> {
  const before = await readGenerated(dataDir)
  if (isWhole(before)) return true
  const state = new GenerationState(dataDir, systemClock.now(), before)
  const installation = await openPastInstallation(dataDir, { events, untilMs: state.now.untilMs })
  const ending = AbortSignal.timeout(msUntil(endMs))
  try {
    await state.keep({})
    await generateOn(installation, state, ending)
  } finally {
    await installation.close()
  }
  if (!isWhole(state.now)) return false
  await syncToDisk(dataDir)
  return true
}

/** A whole number, as the timer requires. */
function msUntil(endMs: number): number {
  return Math.ceil(Math.min(Math.max(0, endMs - systemClock.monotonicMs()), TIMEOUT_MS_MAX))
}

async function generateOn(installation: PastInstallation, state: GenerationState, ending: AbortSignal): Promise<void> {
  const { runtime, ledger } = installation
  const { database } = runtime.engines
  const total = ledger.events
  await withBar('appending', total, (bar) =>
    append(runtime.engines, ledger, state.now.appended, ending, async (appended) => {
      bar.update(appended)
      await state.keep({ appended })
    }),
  )
  if (state.now.appended < total) return
  // Without statistics, the database reads twenty times as many events as a page of the sealer has.
  await database.query('analyze event_store.events, event_store.streams')
  await withBar('projecting and sealing', 2 * total, async (bar) => {
    const task = { dataDir: state.dataDir, databaseUrl: database.url, entries: await installation.entries() }
    const done = { projected: 0, sealed: 0 }
    const update = (changes: Partial<typeof done>) => {
      Object.assign(done, changes)
      bar.update(done.projected + done.sealed)
    }
    const [isProjected, isSealed] = await Promise.all([
      state.now.isProjected || project(runtime, state, ending, (projected) => update({ projected })),
      state.now.isSealed || sealBeside(task, ending, (sealed) => update({ sealed })),
    ])
    await state.keep({ isProjected, isSealed })
  })
  if (!state.now.isProjected || !state.now.isSealed || ending.aborted) return
  await database.query('vacuum analyze')
  await state.keep({ isVacuumed: true })
}

async function append(
  { store }: Installation,
  ledger: PastLedger,
  from: number,
  ending: AbortSignal,
  onAppended: (appended: number) => Promise<void>,
): Promise<void> {
  let storing: Promise<void> = Promise.resolve()
  for (let at = from; at < ledger.events && !ending.aborted; ) {
    const end = Math.min(ledger.events, at + CHUNK_EVENTS)
    // Made while the previous chunk is being stored.
    const byCompany = chunkOf(ledger, at, end)
    await storing
    storing = appendChunk(store, byCompany).then(() => onAppended(end))
    // A failure is reported where it is awaited.
    storing.catch(() => {})
    await new Promise(setImmediate)
    at = end
  }
  await storing
}

type Chunk = ReadonlyMap<string, readonly NewEvent[]>

function chunkOf(ledger: PastLedger, from: number, end: number): Chunk {
  const byCompany = new Map<string, NewEvent[]>()
  for (let n = from; n < end; n++) {
    const { companyId, event } = pastEvent(ledger, n)
    const events = byCompany.get(companyId)
    if (events) events.push(event)
    else byCompany.set(companyId, [event])
  }
  return byCompany
}

/** Sends all appends together, so that they share a commit, which stores them in the order of sending. */
async function appendChunk(store: Installation['store'], byCompany: Chunk): Promise<void> {
  const appends: Promise<unknown>[] = []
  for (const [companyId, events] of byCompany) {
    const stream = streamName('ledger', companyId)
    const parts: ReturnType<typeof store.append>[] = []
    for (let first = 0; first < events.length; first += EVENTS_PER_APPEND_MAX) {
      parts.push(store.append(stream, 'any', events.slice(first, first + EVENTS_PER_APPEND_MAX)))
    }
    appends.push(Promise.all(parts).then((results) => requireOrder(stream, results)))
  }
  await Promise.all(appends)
}

function requireOrder(stream: string, results: readonly AppendResult[]): void {
  for (const [at, { revision }] of results.entries()) {
    if (revision >= (results[at - 1]?.revision ?? -1)) continue
    throw new Error(`the events of ${stream} up to revision ${revision} were stored before those that were sent first`)
  }
}

/**
 * Lets the read models catch up together, as after a restore. The indexes that only readers use are created at the end,
 * which takes a fraction of the time.
 */
async function project(
  { engines }: OpenRuntime,
  state: GenerationState,
  ending: AbortSignal,
  onProgress: (events: number) => void,
): Promise<boolean> {
  const { database, store, feed } = engines
  if (state.now.indexes === null) await state.keep({ indexes: await readSecondaryIndexes(database, PROJECTIONS) })
  const indexes = state.now.indexes ?? []
  await dropIndexes(database, indexes)
  let done = (await store.eventsAfter(BEGINNING)) - (await eventsBehind(engines))
  await catchUpTogether({
    ...{ projections: PROJECTIONS, database, source: store, feed, signal: ending, eventsMin: 1 },
    onStored: (events) => {
      done += events
      onProgress(done)
    },
    onTrouble: (projection, error) => {
      throw new Error(`read model ${projection} failed`, { cause: error })
    },
  })
  if (ending.aborted || (await eventsBehind(engines)) > 0) return false
  await createIndexes(database, indexes)
  await state.keep({ indexes: null })
  return true
}

async function eventsBehind({ database, store }: Installation): Promise<number> {
  const lowest = [...(await lowestPositions(database, PROJECTIONS)).values()].toSorted()[0]
  return store.eventsAfter(lowest ?? BEGINNING)
}

/** The server did not wait for the disk. */
async function syncToDisk(dataDir: string): Promise<void> {
  const [code] = await once(spawn('sync', ['--file-system', dataDir], { stdio: 'inherit' }), 'close')
  if (code !== 0) throw new Error(`sync of ${dataDir} ended with ${code}`)
}

async function withBar<Result>(what: string, total: number, work: (bar: Progress) => Promise<Result>): Promise<Result> {
  const bar = progressBar(`${what} ${total.toLocaleString('en')}`, total)
  try {
    return await work(bar)
  } finally {
    bar.end()
  }
}
