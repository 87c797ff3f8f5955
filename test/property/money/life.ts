import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { LifeClock } from './lifeClock.ts'
import type { MoneyEngines } from './moneyEngines.ts'
import { MoneyModel } from './moneyModel.ts'
import { type Company, MoneyProduct } from './moneyProduct.ts'
import type { PlannedLife } from './moneySteps.ts'
import { ProviderWorld } from './providerWorld.ts'

const BEGIN_MS = Date.parse('2026-03-10T10:00:00.000Z')

export type Lived = Pick<PlannedLife, 'share'> & { readonly company: Company }

/** What all parts of a life share: the model, the product, the payment provider between them, and the story so far. */
export class Life {
  readonly clock = new LifeClock(BEGIN_MS)
  readonly company: Company
  readonly share: number
  readonly world: ProviderWorld
  readonly model: MoneyModel
  readonly product: MoneyProduct
  readonly story: string[] = []
  #names = 0

  constructor({ company, share }: Lived, enginesFor: (clock: LifeClock) => MoneyEngines) {
    const { companyId } = company
    const [name, planId] = [companyId.slice(0, 8), deterministicId(`plan of ${companyId}`)]
    this.company = company
    this.share = share
    this.world = new ProviderWorld({ name, companyId, planId })
    this.model = new MoneyModel(company)
    const { clock, world } = this
    this.product = new MoneyProduct(company, { clock, world, share, engines: enginesFor(clock) })
  }

  get now(): number {
    return this.clock.nowMs
  }

  say(text: string): void {
    this.story.push(`${isoTime(this.now).slice(5, 19)}  ${text}`)
  }

  name(kind: string): string {
    return deterministicId(`${kind} ${this.#names++} of ${this.company.companyId}`)
  }
}
