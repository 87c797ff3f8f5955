import type { Position } from '../../../contracts/position.ts'
import { accountName, type BudgetAccount } from './budgetAccount.ts'
import type { CallHold } from './callHold.ts'
import type { HoldKeeper } from './holdKeeper.ts'

export type CallToHold = {
  readonly companyId: string
  readonly callId: string
  readonly amountMicros: bigint
  /** null: the key has no budget. */
  readonly budget: BudgetAccount | null
}

/** The holds of a call of a company with a hard cap: one against the balance, and one against the budget of its key. */
export class CallHolds {
  readonly #keeper: Pick<HoldKeeper, 'place' | 'callEnded'>
  /** The calls with a hold against a budget. */
  readonly #budgeted = new Set<string>()

  constructor(keeper: Pick<HoldKeeper, 'place' | 'callEnded'>) {
    this.#keeper = keeper
  }

  /** Throws a GatewayError if balance and budget do not both cover the amount, or if that cannot be determined. */
  async place({ companyId, callId, amountMicros, budget }: CallToHold): Promise<CallHold> {
    const ofCompany = await this.#keeper.place(companyId, callId, amountMicros)
    if (budget === null) return ofCompany
    try {
      const ofBudget = await this.#keeper.place(accountName(budget), budgetHoldId(callId), amountMicros)
      this.#budgeted.add(callId)
      return both(ofCompany, ofBudget)
    } catch (error) {
      ofCompany.release()
      throw error
    }
  }

  /** Releases the holds of a call that has ended, unless a charge may have been sent under them. */
  callEnded(callId: string): void {
    this.#keeper.callEnded(callId)
    if (this.#budgeted.size > 0 && this.#budgeted.delete(callId)) this.#keeper.callEnded(budgetHoldId(callId))
  }
}

function budgetHoldId(callId: string): string {
  return `${callId}:budget`
}

function both(ofCompany: CallHold, ofBudget: CallHold): CallHold {
  return {
    cover: async (costMicros) => {
      const covered = await ofCompany.cover(costMicros)
      const withinBudget = await ofBudget.cover(costMicros)
      return covered < withinBudget ? covered : withinBudget
    },
    isSafe: () => ofCompany.isSafe() && ofBudget.isSafe(),
    settle: async (position: Position, chargedMicros: bigint) => {
      await Promise.all([ofCompany.settle(position, chargedMicros), ofBudget.settle(position, chargedMicros)])
    },
    release: () => {
      ofCompany.release()
      ofBudget.release()
    },
  }
}
