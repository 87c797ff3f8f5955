import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { WITHOUT_EXPIRY } from '../../../contracts/events/lotTerms.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { granted } from '../../support/events/ledgerEvents.ts'
import type { Life } from './life.ts'
import { unlimited } from './lotLife.ts'
import type { StepOf } from './moneySteps.ts'

type PlainGrant = {
  readonly lotId: string
  readonly eventId: string
  readonly credits: number
  corrected: number
  corrections: number
}

/** The part of a life in which people grant, adjust and correct credits by hand. */
export class GrantsOfLife {
  readonly #life: Life
  readonly #plain: PlainGrant[] = []

  constructor(life: Life) {
    this.#life = life
  }

  get count(): number {
    return this.#plain.length
  }

  async grant({ source, credits, lasts }: StepOf<'grant'>): Promise<void> {
    const { companyId } = this.#life.company
    const [grantId, at] = [this.#life.name('grant'), isoTime(this.#life.now)]
    const expiresAt = lasts === null ? null : this.#life.now + lasts
    if (source === 'before lots') {
      this.#life.say(`${credits} credits are granted as before there were lots`)
      this.#life.model.lots.grant(unlimited(credits), this.#life.now)
      await this.#life.product.bookEvent(granted(companyId, { grantId, amountMicros: String(credits), grantedAt: at }))
      this.#addPlain('unlimited', grantId, credits)
      return
    }
    this.#life.say(
      `${credits} credits are granted as ${source}, ${expiresAt === null ? 'for ever' : `until ${isoTime(expiresAt)}`}`,
    )
    const priority = source === 'PROMOTION' ? 1 : 0
    this.#life.model.lots.grant(
      { lotId: grantId, source, credits, priority, expiresAt, rollover: null },
      this.#life.now,
    )
    const lot = { ...WITHOUT_EXPIRY, expiresAt: expiresAt === null ? null : isoTime(expiresAt) }
    const grant = { companyId, grantId, source, amountMicros: BigInt(credits), lot, reason: 'a trial', at } as const
    await this.#life.product.book({ type: 'GrantCredits', ...grant })
    this.#addPlain(grantId, grantId, credits)
  }

  #addPlain(lotId: string, grantId: string, credits: number): void {
    const eventId = deterministicId(`grant:${grantId}`)
    this.#plain.push({ lotId, eventId, credits, corrected: 0, corrections: 0 })
  }

  /** Nothing happens if that would make the grant worth less than nothing, or more than it was at first. */
  async correct(which: number, credits: number): Promise<void> {
    const plain = this.#plain[which]
    const corrected = (plain?.corrected ?? 0) - credits
    if (!plain || corrected < 0 || corrected > plain.credits) return
    this.#life.say(`a person corrects a grant of ${plain.credits} credits by ${credits}`)
    const { eventId, corrections } = plain
    const correctedMicros = BigInt(-plain.corrected)
    const corrects = { eventId, deltaMicros: BigInt(plain.credits), correctedMicros, corrections, corrects: null }
    plain.corrected = corrected
    plain.corrections++
    this.#life.model.lots.sums.adjustments += credits
    this.#life.model.lots.move(plain.lotId, 'correction', credits, this.#life.now)
    await this.#bookAdjustment(credits, this.#life.name('adjustment'), corrects)
  }

  async adjust({ credits }: StepOf<'adjust'>): Promise<void> {
    if (credits === 0) return
    this.#life.say(`a person adjusts the balance by ${credits}`)
    const lotId = this.#life.name('adjustment')
    if (credits > 0) this.#life.model.lots.grant({ ...unlimited(credits), lotId }, this.#life.now, 'adjustments')
    else this.#life.model.lots.charge(lotId, -credits, this.#life.now, 'adjustments')
    await this.#bookAdjustment(credits, lotId, null)
  }

  async #bookAdjustment(credits: number, adjustmentId: string, corrects: object | null): Promise<void> {
    const about = {
      companyId: this.#life.company.companyId,
      adjustmentId,
      reason: 'a trial',
      by: this.#life.company.companyId,
    }
    const adjustment = {
      ...about,
      amountMicros: BigInt(credits),
      corrects: corrects as never,
      at: isoTime(this.#life.now),
    }
    await this.#life.product.book({ type: 'AdjustCredits', ...adjustment })
  }
}
