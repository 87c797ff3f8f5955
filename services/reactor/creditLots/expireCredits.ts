import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { lotsOwed, lotsToExpire, lotsToRollOver } from '../../../capabilities/creditLots/dueLots.ts'
import { lotPosition } from '../../../capabilities/creditLots/lotTables.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import { WITHOUT_EXPIRY } from '../../../contracts/events/lotTerms.ts'
import type { Position } from '../../../contracts/position.ts'
import type { LedgerCommand } from '../../../domain/ledger/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'

/** The longest call that a provider may take, and the settlement of a charge whose outcome was unknown. */
export const CALL_AND_SETTLEMENT_MS = 2 * 60 * 60 * 1_000
const LOTS_PER_ROUND = 500
const MILLION = 1_000_000n

type Parts = Pick<Runtime, 'clock' | 'log'> & {
  readonly engines: Pick<Runtime['engines'], 'database' | 'store' | 'ledger'>
}

/**
 * Books what has to happen to lots by now: credits expire, a share of them is granted again, and what expired although a
 * charge needed it is given back. The id of each entry follows from what was booked before, so it is booked once.
 */
export function createCreditExpiry({ engines, clock, log }: Parts): () => Promise<void> {
  const { database, store, ledger } = engines
  /** The end of the ledger in the last round. */
  let head: Position | null = null
  const book = async (companyId: string, command: LedgerCommand, done: string) => {
    const draft = ledger.draft(command)
    const { repeated } = await ledger.book(draft, draft.eventId, REACTOR)
    if (!repeated) log.info({ companyId }, done)
  }
  return async () => {
    const [reached, last] = [await lotPosition(database), head]
    head = await store.head()
    // Lots that lack charges would expire too much, which another entry would have to give back.
    if (last === null || reached < last) return
    const now = clock.now()
    const at = isoTime(now)
    for (const { companyId, lotId: grantId, owedMicros, givenBackMicros } of await lotsOwed(database, LOTS_PER_ROUND)) {
      const given = { amountMicros: owedMicros, reinstatedBeforeMicros: givenBackMicros, disputeId: null, at }
      await book(companyId, { type: 'ReinstateCredits', companyId, grantId, ...given }, 'expired credits given back')
    }
    const expiredBefore = isoTime(now - CALL_AND_SETTLEMENT_MS)
    for (const lot of await lotsToExpire(database, expiredBefore, LOTS_PER_ROUND)) {
      const { companyId, lotId: grantId, leftMicros: amountMicros, bookedMicros: expiredBeforeMicros } = lot
      const expiry = { companyId, grantId, amountMicros, expiredBeforeMicros, at }
      await book(companyId, { type: 'ExpireCredits', ...expiry }, 'credits expired')
    }
    for (const due of await lotsToRollOver(database, at, LOTS_PER_ROUND)) {
      const { companyId, grantId, expiredMicros, rollover } = due
      const amountMicros = (expiredMicros * BigInt(rollover.share)) / MILLION
      if (amountMicros === 0n) continue
      const lot = { ...WITHOUT_EXPIRY, expiresAt: isoTime(rollover.expiresAtMs) }
      const grant = { source: 'ROLLOVER', amountMicros, lot, reason: 'unused credits of the last period' } as const
      await book(companyId, { type: 'GrantCredits', companyId, grantId, ...grant, at }, 'unused credits rolled over')
    }
  }
}
