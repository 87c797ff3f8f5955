import type { Installation } from '../../../capabilities/installation.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { Position } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { fold } from '../../../domain/decider.ts'
import { balanceMicros } from '../../../domain/ledger/balance.ts'
import { ledgerDecider } from '../../../domain/ledger/decider.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import { balanceOf } from '../../../projections/creditBalances/queries.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import { hashProjection } from '../../../projections/runner/hash.ts'
import { rebuildProjection } from '../../../projections/runner/rebuild.ts'
import { until } from '../../support/time/until.ts'

export type Ledger = {
  readonly companyId: string
  /** Each event id once, as every fold counts them. */
  readonly events: readonly LedgerEvent[]
  /** Events that repeat an earlier id. */
  readonly copies: number
}

export async function readLedger({ store }: Installation, companyId: string): Promise<Ledger> {
  const byId = new Map<string, LedgerEvent>()
  let stored = 0
  for await (const recorded of store.readStream(streamName('ledger', companyId))) {
    stored++
    if (!byId.has(recorded.id)) byId.set(recorded.id, recorded)
  }
  return { companyId, events: [...byId.values()], copies: stored - byId.size }
}

/**
 * Resolves when nothing has been stored for a while: charges whose outcome was unknown have been found, and those that
 * that were reported to their callers as failed are reversed.
 */
export async function atRest({ store }: Installation, restMs: number, msMax: number): Promise<void> {
  let head: Position | null = null
  let movedAt = performance.now()
  const isAtRest = async () => {
    const now = await store.head().catch(() => null)
    if (now === null || now !== head) movedAt = performance.now()
    head = now
    return performance.now() - movedAt >= restMs
  }
  await until('nothing more is stored', isAtRest, msMax)
}

/** Whether every read model has passed, in all its partitions, what the store holds now. False when the time is over. */
export async function caughtUp({ store, database }: Installation, msMax: number): Promise<boolean> {
  let head: Position | null = null
  const hasReached = async () => {
    head ??= await store.head()
    const checkpoints = await Promise.all(PROJECTIONS.map(({ name }) => readCheckpoint(database, name)))
    return checkpoints.every((checkpoint) => {
      const positions = Object.values(checkpoint?.positions ?? {})
      return positions.length > 0 && positions.every((position) => position >= (head as Position))
    })
  }
  return until('the read models have caught up', () => hasReached().catch(() => false), msMax).catch(() => false)
}

/** The read models whose rows differ from those of a rebuild. */
export async function differFromRebuild({ database, store, feed }: Installation): Promise<string[]> {
  const different: string[] = []
  for (const projection of PROJECTIONS) {
    const partitions = feed.partitionsOf(projection.categories)
    const live = await hashProjection(database, projection)
    const { idsAreUnique } = store
    await rebuildProjection({
      projection,
      database,
      source: store,
      partitions,
      idsAreUnique,
      clock: systemClock,
      ids: systemIds,
    })
    const rebuilt = await hashProjection(database, projection)
    if (!live || live.hash !== rebuilt?.hash) {
      different.push(`${projection.name} (${live?.rows ?? 'no'} rows, rebuilt ${rebuilt?.rows ?? 'none'})`)
    }
  }
  return different
}

/** The companies whose shown balance differs from their ledger. */
export async function wrongBalances({ database }: Installation, ledgers: readonly Ledger[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { companyId, events } of ledgers) {
    const audited = balanceMicros(fold(ledgerDecider, events)).toString()
    const shown = (await balanceOf(database, companyId))?.balanceMicros
    if (shown !== audited) wrong.push(`${companyId}: ${shown} shown, ${audited} on the ledger`)
  }
  return wrong
}
