import { hostname } from 'node:os'
import { lastShown } from '../../../capabilities/transparency/sealing/checkpointStream.ts'
import { TransparencyFault } from '../../../capabilities/transparency/sealing/fault.ts'
import { scrubEntries } from '../../../capabilities/transparency/sealing/scrub.ts'
import { beginScrub, finishScrub, readScrub, saveScrub } from '../../../capabilities/transparency/sealing/scrubTable.ts'
import {
  beginSealing,
  readProgress,
  SealerReplaced,
  type SealerTerm,
  saveFault,
} from '../../../capabilities/transparency/sealing/tables.ts'
import type { SigningKeys } from '../../../capabilities/transparency/signingKeys.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../platform/clock/within.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Engines } from '../../../platform/engines.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import { LEASE_RENEWAL_MS } from '../../../platform/leases/leases.ts'
import { type Leadership, whileLeading } from '../../../platform/leases/whileLeading.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { RunningService } from '../../../platform/service.ts'
import { readSealable, sealEntries } from './sealEntries.ts'
import { sealerFigures } from './sealerFigures.ts'

export const SEALER_LEASE = 'sealer'
/** How long a sealer that no longer renews its lease remains the leader. */
const SEALER_LEASE_MS = 3_000
/** How often a sealer that found a fault checks whether the transparency log was rebuilt. */
const FAULT_POLL_MS = 2_000
const SCRUB_START_MS = 10_000
/** The time between the read that found a fault and the one that must confirm it. */
const SECOND_READING_MS = 1_000

export type SealerOptions = {
  readonly engines: Pick<Engines, 'database' | 'storeAsWritten'>
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly config: Pick<Config, 'LOG_SCRUB_SHARE' | 'LOG_SCRUB_INTERVAL_MS'>
  readonly leaseMs?: number
}

/** Seals the transparency log. One of several sealers leads, and another takes over when it is gone. */
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
  const { database } = options.engines
  const { epoch } = leadership
  const ending = new AbortController()
  const signal = AbortSignal.any([leadership.signal, ending.signal])
  try {
    const { fault, generation } = await beginSealing(database, epoch)
    if (fault !== null) return await untilRebuilt(options, fault, leadership.signal)
    // If one of them fails, the other must not continue alone.
    const both = [
      sealConfirmed(options, onSealed, { epoch, signal }),
      scrubNowAndThen(options, { epoch, generation }, signal),
    ].map((work) => work.finally(() => ending.abort()))
    const results = await Promise.allSettled(both)
    const failed = results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason)
    const found = failed.find((reason) => reason instanceof TransparencyFault)
    if (failed.length > 0) throw found ?? failed[0]
  } catch (error) {
    if (!(error instanceof TransparencyFault)) throw error
    await saveFault(database, error, epoch)
    options.log.error({ err: error, eventId: error.eventId }, 'the event store no longer matches the transparency log')
    await untilRebuilt(options, error.message, leadership.signal)
  }
}

/** Even after a restart, nothing is sealed or signed until a rebuild has matched every checkpoint. */
async function untilRebuilt({ engines, clock, log }: SealerOptions, fault: string, signal: AbortSignal): Promise<void> {
  log.error({ fault }, 'nothing is sealed or signed until "npm run rebuild -- ledger-log" succeeds')
  while (!signal.aborted) {
    await clock.delay(FAULT_POLL_MS, signal)
    if ((await readProgress(engines.database)).fault === null) return
  }
}

/**
 * Seals and signs. A TransparencyFault is thrown only if the sealer, starting again from what is stored, meets one again before it has
 * signed another checkpoint.
 */
async function sealConfirmed(options: SealerOptions, onSealed: OnSealed, leadership: Leadership): Promise<void> {
  const { engines, clock } = options
  const { database, storeAsWritten: store } = engines
  const appender = new PursuingAppender(store, clock)
  const { signal } = leadership
  for (let suspectedAt: number | undefined; !signal.aborted; ) {
    try {
      await sealEntries({ ...options, database, store, appender, onSealed }, leadership, await readSealable(database))
      return
    } catch (error) {
      if (!(error instanceof TransparencyFault)) throw error
      const signed = (await lastShown(database))?.number ?? -1
      if (suspectedAt === signed) throw error
      suspectedAt = signed
      await beforeSecondReading(options, error, signal)
    }
  }
}

/** Compares the store with the log, from where the last scrub was interrupted. A TransparencyFault is thrown only if a second reading shows it, too. */
async function scrubNowAndThen(options: SealerOptions, term: SealerTerm, signal: AbortSignal): Promise<void> {
  const { engines, clock, log, config } = options
  const { database: sql, storeAsWritten: store } = engines
  let isSuspected = false
  for (let waitMs = SCRUB_START_MS; ; ) {
    await clock.delay(waitMs, signal)
    if (signal.aborted) return
    waitMs = config.LOG_SCRUB_INTERVAL_MS
    try {
      const { entries } = await scrubEntries(
        {
          ...{ sql, store, clock, timeShare: config.LOG_SCRUB_SHARE, resume: await readScrub(sql) },
          onBegin: () => beginScrub(sql, term),
          onPage: async (state) => {
            await saveScrub(sql, term.epoch, state)
            isSuspected = false
          },
        },
        signal,
      )
      if (signal.aborted) return
      await finishScrub(sql, term)
      isSuspected = false
      log.debug({ entries }, 'the event store matches the transparency log')
    } catch (error) {
      if (error instanceof SealerReplaced) throw error
      if (!(error instanceof TransparencyFault)) {
        log.warn({ err: error }, 'the event store could not be compared with the transparency log')
        if (isSuspected) waitMs = SECOND_READING_MS
        continue
      }
      if (isSuspected) throw error
      isSuspected = true
      waitMs = 0
      await beforeSecondReading(options, error, signal)
    }
  }
}

async function beforeSecondReading(
  { clock, log }: SealerOptions,
  error: TransparencyFault,
  signal: AbortSignal,
): Promise<void> {
  log.warn(
    { err: error, eventId: error.eventId },
    'the event store differs from the transparency log, reading it again',
  )
  await clock.delay(SECOND_READING_MS, signal)
}
