import type { Sql } from '../../../projections/runner/ports.ts'
import type { Enrolment, Notice, StoreDeliveries } from './worker.ts'

/** Ends a transaction that found notices. */
class Unplanned extends Error {
  readonly notices: readonly Notice[]

  constructor(notices: readonly Notice[]) {
    super(`the deliveries of ${notices.length} notices are not planned yet`)
    this.notices = notices
  }
}

/**
 * Which notices there are is found in a transaction, but their receivers are read outside of it. So the transaction ends
 * without effect when it finds notices, and runs again when their deliveries are planned. Few events lead to a notice.
 */
export class NoticePlan {
  readonly #enrolment: Enrolment
  #messageIds: ReadonlySet<string> = new Set()
  #store: StoreDeliveries = async () => {}

  constructor(enrolment: Enrolment) {
    this.#enrolment = enrolment
  }

  async run<Result>(transaction: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await transaction()
      } catch (error) {
        if (!(error instanceof Unplanned)) throw error
        this.#store = await this.#enrolment.plan(error.notices)
        this.#messageIds = new Set(error.notices.map(({ messageId }) => messageId))
      }
    }
  }

  /** In the transaction. */
  async store(sql: Sql, notices: readonly Notice[]): Promise<void> {
    if (notices.some(({ messageId }) => !this.#messageIds.has(messageId))) throw new Unplanned(notices)
    if (notices.length > 0) await this.#store(sql)
  }
}
