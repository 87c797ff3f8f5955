import { isoTime } from '../../../platform/clock/clock.ts'
import type { HearingLife } from './heardByLife.ts'
import type { ProductFigures } from './moneyFigures.ts'
import type { StepOf } from './moneySteps.ts'
import type { PaidGrant } from './paidGrant.ts'
import type { PaymentsOfLife } from './paymentsOfLife.ts'
import { chosen } from './sameFigures.ts'
import type { Attempt, TopUpPack } from './topUpLife.ts'
import type { Bank, Payment } from './topUpProduct.ts'

const PACK: TopUpPack = { credits: 6, minor: 1_000, validDays: 5 }
const DAY_MS = 86_400_000

type Paying = {
  readonly attempt: Attempt
  readonly payment: Payment
  readonly madeAt: number
  /** What the bank says at present. */
  says: 'pays' | 'declines' | 'asks' | 'canceled'
  askedAt: number
  grant: PaidGrant | null
}

type ToppedUpLife = HearingLife & {
  readonly shown: Pick<ProductFigures, 'balance'>
  readonly payments: Pick<PaymentsOfLife, 'addPurchase'>
}

/** The part of a life in which packs are bought automatically. */
export class TopUpOfLife {
  readonly #life: ToppedUpLife
  readonly #paying: Paying[] = []
  readonly #returned = new Set<string>()

  constructor(life: ToppedUpLife) {
    this.#life = life
  }

  async begin(): Promise<void> {
    await this.#life.product.topUp.begin(PACK)
  }

  async set({ threshold, ceiling }: StepOf<'setTopUp'>): Promise<void> {
    const { model, product } = this.#life
    this.#life.say(`top-up is set to buy below ${threshold} credits, for at most ${ceiling} a month`)
    model.topUp.set({ threshold, ceiling })
    await product.topUp.set({ threshold, ceiling }, PACK)
  }

  async switchOff(): Promise<void> {
    this.#life.say('top-up is switched off')
    this.#life.model.topUp.switchOff()
    await this.#life.product.topUp.switchOff()
  }

  /** A round of the reactor. */
  async round(bank: Bank): Promise<void> {
    const { model, product, shown, now } = this.#life
    const { topUp, lots } = model
    const fallen = { balance: lots.balance, grants: lots.sums.grants, month: isoTime(now).slice(0, 7) }
    const isNew = model.maySpendLater && topUp.start(PACK, fallen)
    const before = product.topUp.payments.length
    await product.topUp.round(bank, shown.balance)
    const { running } = topUp
    this.#life.say(isNew ? `a round buys a pack, and the bank ${bank}` : 'a round of top-up')
    if (!running) return
    const payment = product.topUp.payments[before]
    if (isNew && payment) {
      const says = bank === 'answer is lost' ? 'pays' : bank
      this.#paying.push({ attempt: running, payment, madeAt: now, says, askedAt: now, grant: null })
      if (bank === 'answer is lost') return
    }
    const paying = this.#paying.find(({ attempt }) => attempt === running)
    if (paying) this.#settle(paying)
  }

  confirm(which: number): void {
    const paying = chosen(
      this.#paying.filter(({ says }) => says === 'asks'),
      which,
    )
    if (!paying) return
    this.#life.say('the holder of the card confirms a payment')
    paying.says = 'pays'
    this.#life.product.topUp.confirm(paying.payment)
  }

  async hear(which: number): Promise<void> {
    const paying = chosen(
      this.#paying.filter(({ says }) => says === 'pays'),
      which,
    )
    if (!paying) return
    this.#life.say('heard: the payment of a top-up')
    this.#settle(paying)
    await this.#life.product.topUp.hear(paying.payment)
  }

  /** A payment was refunded as a whole, or lost in a dispute, which switches top-up off. */
  returned(purchaseId: string | null): void {
    const { topUp } = this.#life.model
    const isOwn = this.#paying.some(({ payment }) => payment.of.purchaseId === purchaseId)
    if (purchaseId === null || !isOwn || !topUp.isOn || this.#returned.has(purchaseId)) return
    this.#returned.add(purchaseId)
    topUp.switchOff()
  }

  #settle(paying: Paying): void {
    const { model, now } = this.#life
    const { attempt } = paying
    const isLate = attempt.status === 'NEEDS_CONFIRMATION' && now >= paying.askedAt + DAY_MS
    if (paying.says === 'asks' && isLate) paying.says = 'canceled'
    if (paying.says === 'asks' && attempt.status === 'STARTED') attempt.status = 'NEEDS_CONFIRMATION'
    if (paying.says === 'pays') this.#paid(paying)
    const ends = { pays: 'SUCCEEDED', declines: 'DECLINED', canceled: 'GIVEN_UP', asks: null } as const
    const status = ends[paying.says]
    if (status !== null) model.topUp.end(attempt, status)
  }

  #paid(paying: Paying): void {
    const { purchaseId } = paying.payment.of
    const { credits, minor, validDays } = PACK
    paying.grant ??= this.#life.payments.addPurchase(purchaseId, credits, minor)
    const at = Math.floor(paying.madeAt / 1_000) * 1_000
    const expiresAt = validDays === null ? null : at + validDays * DAY_MS
    const { lotId } = paying.grant.facts
    const terms = { lotId, source: 'PACK_PURCHASE', credits, priority: 0, expiresAt, rollover: null }
    this.#life.model.paid(paying.grant, terms, at)
  }
}
