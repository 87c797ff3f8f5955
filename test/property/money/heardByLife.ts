import type { PaymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import type { Life } from './life.ts'

/** Something that the provider says, with what it means for the model. */
export type Said = {
  readonly event: PaymentEventBody
  readonly text: string
  readonly means: (isFirst: boolean) => void
}

/** The events of the provider: each is heard once or again, early or late. */
export class HeardByLife {
  readonly #life: Life
  readonly #held: Said[] = []
  readonly #heard: Said[] = []
  readonly #heardIds = new Set<string>()

  constructor(life: Life) {
    this.#life = life
  }

  get isWaiting(): boolean {
    return this.#held.length > 0
  }

  /** It is not delivered yet. */
  hold(said: Said): void {
    this.#held.push(said)
  }

  async deliver(which: number): Promise<void> {
    const [said] = this.#held.splice(which % Math.max(1, this.#held.length), 1)
    if (said) await this.hear(said)
  }

  async repeat(which: number): Promise<void> {
    const said = this.#heard[which % Math.max(1, this.#heard.length)]
    if (said) await this.hear(said)
  }

  async say(isHeld: boolean, said: Said): Promise<void> {
    this.#life.say(`${said.text}${isHeld ? ' (heard later)' : ''}`)
    if (isHeld) this.#held.push(said)
    else await this.hear(said, false)
  }

  async hear(said: Said, isTold = true): Promise<void> {
    const isFirst = !this.#heardIds.has(said.event.id)
    if (isTold) this.#life.say(`heard${isFirst ? '' : ' again'}: ${said.text}`)
    said.means(isFirst)
    this.#heardIds.add(said.event.id)
    if (isFirst) this.#heard.push(said)
    await this.#life.product.hear(said.event)
  }
}

/** A life in which the provider is heard. */
export type HearingLife = Life & { readonly heard: HeardByLife }
