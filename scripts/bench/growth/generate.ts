import { setTimeout as delay } from 'node:timers/promises'
import { BEGINNING } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import { systemClock } from '../../../services/platform/clock/clock.ts'
import type { Engines } from '../../../services/platform/engines.ts'
import { EVENTS_PER_APPEND_MAX } from '../../../services/platform/eventStore/eventGuard.ts'
import type { OpenRuntime } from '../../../services/platform/openRuntime.ts'
import { openLogKeys } from '../../../services/platform/transparency/logKeys.ts'
import { startProjector } from '../../../services/projector/projector.ts'
import { type Progress, progressBar } from '../../cli/progressBar.ts'
import { sealUntil } from '../proof/sealedLog.ts'
import { type Generated, isWhole, readGenerated, writeGenerated } from './generated.ts'
import { openPastInstallation, type PastInstallation } from './pastInstallation.ts'
import { type PastLedger, pastEvent } from './pastLedger.ts'

/** Events that are appended before the next look at the clock. */
const CHUNK_EVENTS = 10_000
const LOOK_EVERY_MS = 250
const DRAIN_MS_MAX = 30_000

export type Generation = {
  readonly dataDir: string
  readonly events: number
  /** `systemClock.monotonicMs()` at which it stops, to be continued. */
  readonly endMs: number
}

/**
 * Makes an installation with so many events, or continues to: events that our own store appends, with times that a restore
 * would keep, the read models that our own projector makes of them, and the log of our own sealer. Returns whether it is
 * whole.
 */
export async function generate(generation: Generation): Promise<boolean> {
  const { dataDir, events, endMs } = generation
  let generated = (await readGenerated(dataDir)) ?? {
    untilMs: systemClock.now(),
    appended: 0,
    isProjected: false,
    isSealed: false,
    isVacuumed: false,
  }
  const isInTime = () => systemClock.monotonicMs() < endMs
  const keep = async (changes: Partial<Generated>) => {
    generated = { ...generated, ...changes }
    await writeGenerated(dataDir, generated)
  }
  if (isWhole(generated)) return true
  const installation = await openPastInstallation(dataDir, { events, untilMs: generated.untilMs })
  try {
    const { runtime, ledger } = installation
    await keep({})
    await withBar(`appending ${count(events)}`, events, (bar) =>
      append(runtime.engines, ledger, generated.appended, isInTime, async (appended) => {
        bar.update(appended)
        await keep({ appended })
      }),
    )
    if (generated.appended < events) return false
    if (!generated.isProjected) {
      const isProjected = await withBar(`projecting ${count(events)}`, events, (bar) => project(runtime, isInTime, bar))
      await keep({ isProjected })
    }
    if (generated.isProjected && !generated.isSealed) {
      const isSealed = await withBar(`sealing ${count(events)}`, events, (bar) => seal(installation, isInTime, bar))
      await keep({ isSealed })
    }
    if (!generated.isSealed || !isInTime()) return false
    await runtime.engines.database.query('vacuum analyze')
    await keep({ isVacuumed: true })
    return true
  } finally {
    await installation.close()
  }
}

async function append(
  { store }: Engines,
  ledger: PastLedger,
  from: number,
  isInTime: () => boolean,
  onAppended: (appended: number) => Promise<void>,
): Promise<void> {
  for (let at = from; at < ledger.events && isInTime(); ) {
    const end = Math.min(ledger.events, at + CHUNK_EVENTS)
    const byCompany = new Map<string, ReturnType<typeof pastEvent>['event'][]>()
    for (let n = at; n < end; n++) {
      const { companyId, event } = pastEvent(ledger, n)
      const events = byCompany.get(companyId)
      if (events) events.push(event)
      else byCompany.set(companyId, [event])
    }
    // Sent together, so that they share commits; appends of one caller are stored in the order in which they are sent.
    const appends: Promise<unknown>[] = []
    for (const [companyId, events] of byCompany) {
      for (let first = 0; first < events.length; first += EVENTS_PER_APPEND_MAX) {
        const part = events.slice(first, first + EVENTS_PER_APPEND_MAX)
        appends.push(store.append(streamName('ledger', companyId), 'any', part))
      }
    }
    await Promise.all(appends)
    at = end
    await onAppended(at)
  }
}

/** Runs the projector until every read model has passed what was appended. */
async function project(runtime: OpenRuntime, isInTime: () => boolean, bar: Progress): Promise<boolean> {
  const all = await runtime.engines.store.eventsAfter(BEGINNING)
  const projector = await startProjector(runtime)
  try {
    for (;;) {
      const behind = await eventsBehind(runtime.engines)
      bar.update(all - behind)
      if (behind === 0) return true
      if (!isInTime()) return false
      await delay(LOOK_EVERY_MS)
    }
  } finally {
    await projector.drain(DRAIN_MS_MAX)
  }
}

async function eventsBehind({ database, store }: Engines): Promise<number> {
  let most = 0
  for (const { name, categories } of PROJECTIONS) {
    if (!(categories as readonly string[]).includes('ledger')) continue
    const [position] = Object.values((await readCheckpoint(database, name))?.positions ?? {}).toSorted()
    most = Math.max(most, await store.eventsAfter(position ?? BEGINNING))
  }
  return most
}

async function seal({ runtime, entries }: PastInstallation, isInTime: () => boolean, bar: Progress): Promise<boolean> {
  const keys = await openLogKeys(runtime.config)
  const goesOn = (size: number) => {
    bar.update(size)
    return isInTime()
  }
  return sealUntil(runtime.engines, { entries: await entries(), signed: true }, { keys, goesOn })
}

async function withBar<Result>(what: string, total: number, work: (bar: Progress) => Promise<Result>): Promise<Result> {
  const bar = progressBar(what, total)
  try {
    return await work(bar)
  } finally {
    bar.end()
  }
}

const count = (events: number): string => events.toLocaleString('en')
