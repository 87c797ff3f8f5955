import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import {
  CHANGED_CATEGORIES,
  type ChangedCategory,
  type ChangedPositions,
  type CompanyChanges,
} from '../../../platform/sharedState/companyChanges/port.ts'
import { GatewayError } from '../gatewayError.ts'
import { untilView } from './untilView.ts'

/** How long a call that would be refused waits for a change of its company that the views lack. */
export const CHANGE_WAIT_MS = 2_000
/** Calls that look for such a change at a time. Others are refused by the current views. */
export const CHANGE_WAITERS_MAX = 64
const RETRY_SECONDS = 1

export type CompanyCatchUpParts = {
  readonly changes: Pick<CompanyChanges, 'read'>
  /** The position up to which the views have the changes of a company. */
  readonly seen: (companyId: string, category: ChangedCategory) => Position
  readonly clock: Clock
  readonly log: Log
}

/**
 * Backends record where they last changed a company. Before a call is refused for a reason that such a change may have
 * removed, its gateway waits until the views have it. A call that is admitted never comes here. If the views do not catch
 * up in time, the refusal may be wrong, so the call gets 503 and can be retried. If the shared state does not answer, the
 * refusal stands.
 */
export class CompanyCatchUp {
  readonly #parts: CompanyCatchUpParts
  #waiting = 0

  constructor(parts: CompanyCatchUpParts) {
    this.#parts = parts
  }

  /**
   * True if a change was missing at first and the views have it now, so that the refusal must be decided again. Throws a
   * GatewayError if it is still missing after a while.
   * `decidedEarlier`: the views may have caught up since the refusal was decided, so any recent change counts as missing.
   */
  async hasCaughtUp(companyId: string, { decidedEarlier = false } = {}): Promise<boolean> {
    if (this.#waiting >= CHANGE_WAITERS_MAX) return false
    this.#waiting++
    try {
      return await this.#hasCaughtUp(companyId, decidedEarlier ? {} : this.#seen(companyId))
    } finally {
      this.#waiting--
    }
  }

  /** `before`: what the views had when the call was refused. They may catch up while the shared state is asked. */
  async #hasCaughtUp(companyId: string, before: ChangedPositions): Promise<boolean> {
    const { changes, clock, log } = this.#parts
    let changed: ChangedPositions
    try {
      changed = await changes.read(companyId)
    } catch (error) {
      log.debug({ err: error, companyId }, 'changes of a company could not be read')
      return false
    }
    if (!lacks(before, changed)) return false
    const endMs = clock.monotonicMs() + CHANGE_WAIT_MS
    if (await untilView(() => !lacks(this.#seen(companyId), changed), endMs, clock)) return true
    const message =
      'The company was changed moments ago and the gateway does not know the change yet. Retry with backoff.'
    throw new GatewayError('unavailable', message, { retryAfterSeconds: RETRY_SECONDS })
  }

  #seen(companyId: string): ChangedPositions {
    const { seen } = this.#parts
    return Object.fromEntries(CHANGED_CATEGORIES.map((category) => [category, seen(companyId, category)]))
  }
}

function lacks(seen: ChangedPositions, changed: ChangedPositions): boolean {
  return CHANGED_CATEGORIES.some((category) => (seen[category] ?? '') < (changed[category] ?? ''))
}
