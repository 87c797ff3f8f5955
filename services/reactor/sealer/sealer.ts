import { hostname } from 'node:os'
import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import type { Engines } from '../../platform/engines.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import { LEASE_RENEWAL_MS } from '../../platform/leases/leases.ts'
import { type Leadership, whileLeading } from '../../platform/leases/whileLeading.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { RunningService } from '../../platform/service.ts'
import type { LogKeys } from '../../platform/transparency/logKeys.ts'
import { LogFault } from '../../platform/transparency/sealing/logFault.ts'
import { readProgress, SealerReplaced, saveFault } from '../../platform/transparency/sealing/logTables.ts'
import { scrubLog } from '../../platform/transparency/sealing/scrubLog.ts'
import { sealerFigures } from './sealerFigures.ts'
import { beginEpoch, sealLog } from './sealLog.ts'

export const SEALER_LEASE = 'sealer'
/** How long a sealer that no longer renews its lease remains the leader. */
const SEALER_LEASE_MS = 3_000
/** How often a sealer that found a fault looks whether the log was rebuilt. */
const FAULT_POLL_MS = 2_000
const SCRUB_START_MS = 10_000
const SCRUB_INTERVAL_MS = 60 * 60_000

export type SealerOptions = {
  readonly engines: Pick<Engines, 'database' | 'storeAsWritten'>
  readonly keys: LogKeys
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly leaseMs?: number
}

/** Seals the ledger's log. One of several sealers leads, and another takes over when it is gone. */
export function startSealer(options: SealerOptions): RunningService {
  const { engines, clock, ids, log, leaseMs = SEALER_LEASE_MS } = options
  const figures = sealerFigures(options.metrics, engines)
  const stopping = new AbortController()
  const running = whileLeading(
    {
      database: engines.database,
      clock,
      name: SEALER_LEASE,
      holder: `${hostname()} ${process.pid} ${ids.uuid().slice(0, 8)}`,
      ttlMs: leaseMs,
      renewalMs: Math.min(LEASE_RENEWAL_MS, leaseMs / 3),
      onLeading: (leads) => figures.leads.set(leads ? 1 : 0),
      onTrouble: (error) => {
        if (error instanceof SealerReplaced) log.info({ err: error }, 'the sealer begins again')
        else log.warn({ err: error }, 'sealer failed, retrying')
      },
    },
    (leadership) => lead(options, figures.sealed, leadership),
    stopping.signal,
  )
  return {
    name: 'sealer',
    url: null,
    drain: async (timeoutMs) => {
      stopping.abort()
      await settlesWithin(running, timeoutMs, clock)
    },
  }
}

type OnSealed = ReturnType<typeof sealerFigures>['sealed']

async function lead(options: SealerOptions, onSealed: OnSealed, leadership: Leadership): Promise<void> {
  const { engines, log } = options
  const { database } = engines
  const ending = new AbortController()
  const signal = AbortSignal.any([leadership.signal, ending.signal])
  try {
    const progress = await beginEpoch(database, leadership.epoch)
    if (progress.fault !== null) return await untilRebuilt(options, progress.fault, leadership.signal)
    const { storeAsWritten: store } = engines
    const appender = new PursuingAppender(store, options.clock)
    // If one of them fails, the other must not continue alone.
    const both = [
      sealLog({ ...options, database, store, appender, onSealed }, { ...leadership, signal }, progress),
      scrubNowAndThen(options, signal),
    ].map((work) => work.finally(() => ending.abort()))
    const results = await Promise.allSettled(both)
    const failed = results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason)
    const fault = failed.find((reason) => reason instanceof LogFault)
    if (failed.length > 0) throw fault ?? failed[0]
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    await saveFault(database, error)
    log.error({ err: error, eventId: error.eventId }, "the event store no longer matches the ledger's log")
    await untilRebuilt(options, error.message, leadership.signal)
  }
}

/** Also after a restart nothing is sealed or signed before a rebuild has met every checkpoint. */
async function untilRebuilt({ engines, clock, log }: SealerOptions, fault: string, signal: AbortSignal): Promise<void> {
  log.error({ fault }, 'nothing is sealed or signed until "npm run rebuild -- ledger-log" succeeds')
  while (!signal.aborted) {
    await clock.delay(FAULT_POLL_MS, signal)
    if ((await readProgress(engines.database)).fault === null) return
  }
}

async function scrubNowAndThen({ engines, clock, log }: SealerOptions, signal: AbortSignal): Promise<void> {
  const { database: sql, storeAsWritten: store } = engines
  for (let waitMs = SCRUB_START_MS; ; waitMs = SCRUB_INTERVAL_MS) {
    await clock.delay(waitMs, signal)
    if (signal.aborted) return
    try {
      const { entries } = await scrubLog({ sql, store, clock }, signal)
      log.debug({ entries }, "the event store matches the ledger's log")
    } catch (error) {
      if (error instanceof LogFault) throw error
      log.warn({ err: error }, "the event store could not be compared with the ledger's log")
    }
  }
}
