import type { Recorded, RecordedEvent } from '../../../contracts/envelope.ts'
import type { CompanyEvent } from '../../../contracts/events/company.ts'
import type { InvoiceEvent } from '../../../contracts/events/invoice.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { MemoryHolds } from '../../../platform/sharedState/holds/memoryHolds.ts'
import { checkCanPay } from '../../../services/gateway/call/admission.ts'
import { GatewayError } from '../../../services/gateway/gatewayError.ts'
import type { CallHold } from '../../../services/gateway/holds/callHold.ts'
import { HoldKeeper } from '../../../services/gateway/holds/holdKeeper.ts'
import { BalanceView } from '../../../services/gateway/views/balances.ts'
import { CompanyView } from '../../../services/gateway/views/companies.ts'
import { InvoiceView } from '../../../services/gateway/views/invoices.ts'
import { LapsingCredits } from '../../../services/gateway/views/lapsingCredits.ts'
import type { LifeClock } from './lifeClock.ts'

const { log } = openLog({ level: 'silent', file: null })
/** Leases of holds end by a clock of their own. */
const STANDSTILL = { ...systemClock, now: () => 0, monotonicMs: () => 0 }

type CanPay = Parameters<typeof checkCanPay>

/** The views and holds of a gateway, and its decision whether a company may call. */
export class GatewayDouble {
  readonly lapsing: LapsingCredits
  readonly #balances: BalanceView
  readonly #companyId: string
  readonly #views: CanPay[0]['views']
  readonly #companies = new CompanyView()
  readonly #invoices = new InvoiceView()
  readonly #clock: LifeClock
  readonly #keeper: HoldKeeper
  readonly #holds = new Map<string, CallHold>()
  #position: Position = BEGINNING

  constructor(companyId: string, clock: LifeClock) {
    this.#companyId = companyId
    this.#clock = clock
    this.lapsing = new LapsingCredits(clock)
    this.#balances = new BalanceView({ lapsing: this.lapsing })
    const [companies, invoices, balances] = [this.#companies, this.#invoices, this.#balances]
    this.#views = { companies, invoices, balances } as unknown as CanPay[0]['views']
    this.#keeper = new HoldKeeper({
      ...{ table: new MemoryHolds(STANDSTILL), clock: STANDSTILL, ids: systemIds, log },
      store: { head: async () => this.#position },
      background: { add: () => {} } as never,
      views: { ledgerSeen: () => ({ balanceMicros: this.#unheld(), position: this.#position }) },
    })
  }

  apply(event: RecordedEvent): void {
    const { stream, position } = event
    if (stream.startsWith('ledger-')) {
      this.#balances.apply(event as unknown as Recorded<LedgerEvent>)
      this.#position = position
    }
    if (stream.startsWith('company-')) this.#companies.apply(event as unknown as CompanyEvent)
    if (stream.startsWith('invoice-')) this.#invoices.apply(event as unknown as InvoiceEvent)
  }

  /** What calls may be admitted on. */
  get balance(): number {
    return Number(this.#balances.balanceMicros(this.#companyId))
  }

  /** The name of the refusal; null if a call is admitted. */
  async refusal(): Promise<string | null> {
    const parts = { views: this.#views, clock: this.#clock, companyCatchUp: { hasCaughtUp: async () => false } }
    const key = { companyId: this.#companyId, family: { budget: null } }
    return refusalOf(() => checkCanPay(parts as unknown as CanPay[0], key as unknown as CanPay[1]))
  }

  /** Holds what a call may cost, if its company has a hard cap. */
  async hold(callId: string, bound: number): Promise<string | null> {
    if (!this.#companies.hasHardCap(this.#companyId)) return null
    return refusalOf(async () => {
      this.#holds.set(callId, await this.#keeper.place(this.#companyId, callId, BigInt(bound)))
    })
  }

  /** What may be charged at most; null if there is no hold. */
  async cover(callId: string, cost: number): Promise<number | null> {
    const covered = await this.#holds.get(callId)?.cover(BigInt(cost))
    return covered === undefined ? null : Number(covered)
  }

  /** The charge has been stored, and the views have it. */
  async settle(callId: string, charged: number): Promise<void> {
    await this.#holds.get(callId)?.settle(this.#position, BigInt(charged))
    this.#holds.delete(callId)
  }

  release(callId: string): void {
    this.#holds.get(callId)?.release()
    this.#holds.delete(callId)
  }

  #unheld(): bigint {
    const limit = this.#companies.creditLimitMicros(this.#companyId) ?? 0n
    return this.#balances.unheldMicros(this.#companyId) + limit
  }
}

async function refusalOf(check: () => Promise<void> | undefined): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (error instanceof GatewayError) return error.error
    throw error
  }
}
