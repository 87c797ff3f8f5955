import { isoTime } from '../../../platform/clock/clock.ts'
import { CallsOfLife } from './callsOfLife.ts'
import { GrantsOfLife } from './grantsOfLife.ts'
import { HeardByLife } from './heardByLife.ts'
import { Life } from './life.ts'
import { ProductFigures, shownLots } from './moneyFigures.ts'
import type { MoneyStep } from './moneySteps.ts'
import { MonthsOfLife } from './monthsOfLife.ts'
import { PaymentsOfLife } from './paymentsOfLife.ts'
import { same } from './sameFigures.ts'
import { TopUpOfLife } from './topUpOfLife.ts'

const STEP_MS = 10_000
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
/** How many expiries are awaited one by one at the end of a life. */
const LAST_EXPIRIES = 4

/** Leads one life with the model and the product at the same time, and compares them after every step. */
export class MoneyLife extends Life {
  readonly shown = new ProductFigures()
  readonly heard = new HeardByLife(this)
  readonly grants = new GrantsOfLife(this)
  readonly payments = new PaymentsOfLife(this)
  readonly calls = new CallsOfLife(this)
  readonly months = new MonthsOfLife(this)
  readonly topUp = new TopUpOfLife(this)
  #compared = 0

  /** Throws the story of the life up to the step after which model and product differ. */
  async lead(steps: readonly MoneyStep[]): Promise<void> {
    try {
      await this.#begin()
      for (const step of steps) await this.#live(step)
      await this.#end()
    } catch (error) {
      const { mode, hasHardCap, creditLimit, disputesSuspend } = this.company
      const cap = `${hasHardCap ? 'with' : 'without'} a hard cap, credit limit ${creditLimit}`
      const about = `a ${mode} company ${cap}, ${disputesSuspend ? '' : 'not '}suspended by disputes, ${this.share} rolls over`
      const story = [about, ...this.story].join('\n  ')
      throw new Error(`${error instanceof Error ? error.message : error}\n  ${story}`, { cause: error })
    }
  }

  async #begin(): Promise<void> {
    await this.product.begin()
    await this.topUp.begin()
    await this.product.follow()
  }

  /** Everything is heard, all that expires does so, and some invoices are paid. */
  async #end(): Promise<void> {
    while (this.heard.isWaiting) await this.#live({ type: 'deliver', which: 0 })
    await this.#live({ type: 'poll' })
    for (let n = 0; n < LAST_EXPIRIES && this.model.lots.expiriesAfter(this.now).length > 0; n++) {
      await this.#live({ type: 'waitForExpiry', offset: 2 * HOUR_MS })
      await this.#live({ type: 'react' })
    }
    await this.#live({ type: 'wait', ms: 70 * DAY_MS })
    await this.#live({ type: 'react' })
    for (const which of [0, 1, 2, 3]) await this.#live({ type: 'payInvoice', which: 0, isByHand: which % 2 === 1 })
    await this.#live({ type: 'again', which: 0 })
  }

  async #live(step: MoneyStep): Promise<void> {
    this.clock.nowMs += STEP_MS
    await this.#does(step)
    await this.product.follow()
    await this.#compare()
  }

  /** Every view that can be computed now. */
  async #compare(): Promise<void> {
    const { model, product, now, shown } = this
    const { engines, gateway } = product
    for (const event of engines.events.slice(this.#compared)) shown.add(event)
    this.#compared = engines.events.length
    const month = isoTime(now).slice(0, 7)
    same('figures', model.figures(month), shown.figures(month))
    same('lots', { shown: model.shownLots() }, { shown: shownLots(await engines.lots()) })
    same('debt', { debt: model.lots.units.debt }, { debt: Number(await engines.debt()) })
    const [next = Number.POSITIVE_INFINITY] = model.lots.expiriesAfter(now)
    // Gateways know an hour before what expires.
    for (const at of next - now < HOUR_MS ? [now, next - 1, next] : [now]) {
      this.clock.nowMs = at
      const found = { on: gateway.balance, is: await gateway.refusal() }
      same(`calls at ${isoTime(at)}`, { on: model.lots.admittedOn(at), is: model.refusal(at) }, found)
    }
    this.clock.nowMs = now
  }

  async #does(step: MoneyStep): Promise<unknown> {
    switch (step.type) {
      case 'grant':
        return this.grants.grant(step)
      case 'adjust':
        return this.grants.adjust(step)
      case 'buy':
        return this.payments.buy(step)
      case 'renew':
        return this.payments.renew(step)
      case 'refund':
        return this.payments.refund(step)
      case 'refundFails':
        return this.payments.refundFails(step)
      case 'dispute':
        return this.payments.dispute(step)
      case 'disputeSays':
        return this.payments.disputeSays(step)
      case 'correct':
        return this.payments.correct(step)
      case 'poll':
        return this.payments.poll()
      case 'deliver':
        return this.heard.deliver(step.which)
      case 'again':
        return this.heard.repeat(step.which)
      case 'use':
        return this.calls.use(step)
      case 'call':
        return this.calls.call(step)
      case 'settle':
        return this.calls.settle(step)
      case 'fail':
        return this.calls.fail(step)
      case 'reverse':
        return this.calls.reverse(step)
      case 'wait':
        this.clock.nowMs += step.ms
        return
      case 'waitForExpiry': {
        const [next = this.now] = this.model.lots.expiriesAfter(this.now)
        this.clock.nowMs = Math.max(this.now, next + step.offset)
        return
      }
      case 'react':
        return this.#react()
      case 'suspend':
        this.say(step.isSuspended ? 'the operator suspends the company' : 'the operator resumes the company')
        this.model.suspend(step.isSuspended)
        return this.product.suspend(step.isSuspended)
      case 'setTopUp':
        return this.topUp.set(step)
      case 'topUpOff':
        return this.topUp.switchOff()
      case 'topUp':
        return this.topUp.round(step.bank)
      case 'confirm':
        return this.topUp.confirm(step.which)
      case 'hearTopUp':
        return this.topUp.hear(step.which)
      case 'payInvoice':
        return this.months.endInvoice(step.which, 'paid', step.isByHand)
      case 'voidInvoice':
        return this.months.endInvoice(step.which, 'void', step.isByHand)
    }
  }

  /** What the reactor does as time passes: ends of months, expiries, and what rolls over. */
  async #react(): Promise<void> {
    this.say('the reactor does what is due')
    if (this.company.mode === 'POSTPAID') await this.months.end()
    this.model.lots.passTime(this.now)
    await this.product.passTime()
  }
}
