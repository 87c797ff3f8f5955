import { isoTime } from '../../../platform/clock/clock.ts'
import type { HearingLife } from './heardByLife.ts'
import { unlimited } from './lotLife.ts'
import type { UsageInvoice } from './providerWorld.ts'
import { chosen, same, wholeSeconds } from './sameFigures.ts'

const DAY_MS = 86_400_000

/** The part of a life in which the months of a postpaid company end, and their invoices are paid or voided. */
export class MonthsOfLife {
  readonly #life: HearingLife
  #closed: string

  constructor(life: HearingLife) {
    this.#life = life
    this.#closed = monthBefore(isoTime(life.now).slice(0, 7))
  }

  async end(): Promise<void> {
    const last = monthBefore(isoTime(this.#life.now).slice(0, 7))
    while (this.#closed < last) {
      this.#closed = monthAfter(this.#closed)
      const { lots, months, due } = this.#life.model
      const month = months.close(this.#closed, lots.balance, lots.sums.settlements)
      this.#life.say(`${month.name} ends: ${month.owed} credits are owed, which cost ${month.minor}`)
      await this.#life.product.months.end(month.name)
      const invoice = this.#life.world.usageInvoices.find((each) => each.month === month.name)
      same('invoice', { minor: month.minor }, { minor: invoice?.minor ?? 0 })
      if (invoice) due.set(invoice.id, invoice.due)
    }
  }

  async endInvoice(which: number, status: 'paid' | 'void', isByHand: boolean): Promise<void> {
    const invoice = chosen(
      this.#life.world.usageInvoices.filter((each) => each.status === 'open'),
      which,
    )
    if (!invoice) return
    invoice.status = status
    const at = wholeSeconds(this.#life.now)
    const means = () => this.#invoiceEnded(invoice, at)
    const type = status === 'paid' ? 'invoice.paid' : 'invoice.voided'
    const event = this.#life.world.event(type, this.#life.world.usageObject(invoice), this.#life.now)
    const text = `the invoice for ${invoice.month} is ${status}`
    if (!isByHand) return this.#life.heard.say(false, { event, text, means })
    this.#life.say(`${text} by hand`)
    means()
    await this.#life.product.endInvoice(invoice, status === 'paid' ? 'SETTLED' : 'VOIDED')
    this.#life.heard.hold({ event, text, means })
  }

  /** A paid month is settled on the ledger. A void one is not owed any more, and its credits stay charged. */
  #invoiceEnded({ id, month: name, status }: UsageInvoice, at: number): void {
    const month = this.#life.model.months.months.find((each) => each.name === name)
    this.#life.model.due.delete(id)
    if (month?.invoice !== 'OPEN') return
    month.invoice = status === 'paid' ? 'PAID' : 'VOID'
    if (status !== 'paid') return
    const lot = { ...unlimited(month.owed), lotId: `settlement:${name}`, source: 'SETTLEMENT' }
    this.#life.model.lots.grant(lot, at, 'settlements')
  }
}

function monthAfter(month: string): string {
  return isoTime(Date.parse(`${month}-15`) + 30 * DAY_MS).slice(0, 7)
}

function monthBefore(month: string): string {
  return isoTime(Date.parse(`${month}-15`) - 30 * DAY_MS).slice(0, 7)
}
