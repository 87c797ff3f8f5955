import type { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import type { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { invoiceObject } from '../../../capabilities/payments/providerObjects.ts'
import type { NamedInvoice, UsageInvoice as Usage } from '../../../capabilities/payments/usageInvoices.ts'
import { endMonth } from '../../../capabilities/postpaid/endMonths.ts'
import type { PostpaidParts } from '../../../capabilities/postpaid/postpaidParts.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { companies } from '../../../projections/companies/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import type { LifeClock } from './lifeClock.ts'
import type { MoneyEngines } from './moneyEngines.ts'
import type { ProviderWorld, UsageInvoice } from './providerWorld.ts'

const { log } = openLog({ level: 'silent', file: null })
const DAY_MS = 86_400_000

type Parts = {
  readonly commands: CommandHandler
  readonly ledger: LedgerWriter
  readonly clock: LifeClock
  readonly engines: MoneyEngines
  readonly world: ProviderWorld
}

/** The month ends of a postpaid company as the reactor carries them out, with invoices at the provider of the life. */
export class MonthProduct {
  readonly #companyId: string
  readonly #parts: Parts

  constructor(companyId: string, parts: Parts) {
    this.#companyId = companyId
    this.#parts = parts
    const { rows, events } = parts.engines
    rows['read_models.companies'] = () => {
      const own = events.filter(({ stream }) => stream === `company-${companyId}`)
      return [...applyEvents(companies, own as never).values()]
    }
    rows['read_models.users'] = () => []
  }

  /** Closes and bills the month, and makes its invoice. */
  async end(month: string): Promise<void> {
    const { commands, ledger, clock, engines } = this.#parts
    const { database, store } = engines
    const parts = {
      ...{ clock, log },
      engines: { database, store, commands, ledger, personal: { revealAll: async () => [] } },
      provider: { createCustomer: async () => 'cus_1' },
      usageInvoices: {
        ensureContact: async () => {},
        find: async (_customer: string, usage: Usage) => this.#find(usage),
        create: async (_customer: string, usage: Usage) => this.#create(usage),
        complete: async (_customer: string, _id: string, usage: Usage) => this.#find(usage),
      },
    }
    await endMonth(parts as unknown as PostpaidParts, this.#companyId, month)
  }

  #create({ month, amountMinor }: Usage): NamedInvoice {
    const due = Math.floor((this.#parts.clock.now() + 14 * DAY_MS) / 1_000)
    return this.#named(this.#parts.world.usageInvoice({ month, minor: Number(amountMinor), due }))
  }

  #find({ month }: Usage): NamedInvoice | null {
    const invoice = this.#parts.world.usageInvoices.find((each) => each.month === month)
    return invoice ? this.#named(invoice) : null
  }

  #named(invoice: UsageInvoice): NamedInvoice {
    return { ...invoiceObject.parse(this.#parts.world.usageObject(invoice)), id: invoice.id }
  }
}
