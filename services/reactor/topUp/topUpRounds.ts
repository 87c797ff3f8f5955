import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { streamName } from '../../../contracts/streams.ts'
import { topUpDecider } from '../../../domain/topUp/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { Pauses } from '../../../platform/clock/pauses.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { packById } from '../../../projections/creditPacks/queries.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { type FallenBalance, fallenBalances, runningTopUps } from '../../../projections/topUps/queries.ts'
import { runAttempt, type TopUpParts, whyBlocked } from './runAttempt.ts'

const COMPANIES_PER_ROUND = 20
/** The delay before a company is considered again whose top-up cannot start now, or whose attempt is still running. */
const AGAIN_MS = 60_000

type Parts = TopUpParts & { readonly database: Sql; readonly log: Log }

/**
 * Tops up the balances that have fallen below their threshold, and asks about the payments whose outcome is not known.
 * The read models only say where to look: the decider decides on the stream, so several reactors start one attempt.
 */
export function createTopUps(parts: Parts): () => Promise<void> {
  const { database, clock, log } = parts
  const newPauses = () => new Pauses({ nowMs: () => clock.now(), doneMs: AGAIN_MS, failedMs: AGAIN_MS })
  const [fallen, running] = [newPauses(), newPauses()]
  const run = (companyId: string) =>
    running.attempt(
      companyId,
      () => runAttempt(parts, companyId),
      (error) => log.warn({ err: error, companyId }, 'automatic top-up could not be carried on, retrying later'),
    )
  return async () => {
    for (const balance of await fallenBalances(database, fallen.ids(), COMPANIES_PER_ROUND)) {
      const { companyId } = balance
      await fallen.attempt(
        companyId,
        async () => {
          if (!(await startAttempt(parts, balance))) return AGAIN_MS
          log.info({ companyId }, 'automatic top-up started')
          await run(companyId)
          return 0
        },
        (error) => log.warn({ err: error, companyId }, 'automatic top-up could not be started, retrying later'),
      )
    }
    for (const { companyId } of await runningTopUps(database, running.ids(), COMPANIES_PER_ROUND)) await run(companyId)
  }
}

/** Whether an attempt was started. */
async function startAttempt(parts: Parts, { companyId, ...balance }: FallenBalance): Promise<boolean> {
  const { commands, database, clock } = parts
  const stream = streamName('topUp', companyId)
  const { settings, changes } = await commands.stateOf(topUpDecider, stream)
  const pack = settings && (await packById(database, settings.packId))
  if (!pack || pack.status === 'RETIRED' || (await whyBlocked(parts, companyId)) !== null) return false
  // The same fall with the same settings is the same attempt, whichever reactor finds it and how often.
  const attemptId = deterministicId(`topUp:${companyId}:${balance.grantsMicros}:${changes}`)
  const { packId, creditsMicros, price, currency } = pack
  const validDays = pack.validDays === null ? null : Number(pack.validDays)
  const { events } = await commands.handle(
    topUpDecider,
    stream,
    {
      type: 'StartAttempt',
      ...{ companyId, attemptId, purchaseId: deterministicId(`purchase:${attemptId}`), changes },
      ...{ grantsMicros: BigInt(balance.grantsMicros), balanceMicros: BigInt(balance.balanceMicros) },
      ...{ pack: { packId, creditsMicros, price, currency, validDays }, at: isoTime(clock.now()) },
    },
    // Balances read a moment apart differ, so the attempt alone does not identify the command.
    {
      commandId: `topUp start:${attemptId}:${balance.balanceMicros}:${price}`,
      correlationId: `topUp:${attemptId}`,
      actor: REACTOR,
    },
  )
  return events.length > 0
}
