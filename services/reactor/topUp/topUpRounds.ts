import { PaymentProviderError } from '../../../capabilities/payments/paymentProvider.ts'
import { Pauses } from '../../../platform/clock/pauses.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { runningTopUps } from '../../../projections/topUps/queries.ts'
import { fallenBalances } from './fallenBalances.ts'
import { runAttempt } from './runAttempt.ts'
import { type StartingParts, startAttempt } from './startAttempt.ts'

const COMPANIES_PER_ROUND = 20
/** The delay before a company is considered again whose top-up cannot start now, or whose attempt is still running. */
const AGAIN_MS = 60_000

type Parts = StartingParts & { readonly log: Log }

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
      (error) => {
        // Only the operator can restore the access to the payment provider.
        const needsOperator = error instanceof PaymentProviderError && error.fault === 'access'
        log[needsOperator ? 'error' : 'warn'](
          { err: error, companyId },
          'automatic top-up could not be carried on, retrying later',
        )
      },
    )
  return async () => {
    for (const balance of await fallenBalances(database, clock.now(), fallen.ids(), COMPANIES_PER_ROUND)) {
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
