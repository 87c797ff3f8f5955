import { isoTime } from '../../../platform/clock/clock.ts'
import type { Life } from './life.ts'
import type { CallOfLife } from './moneyProduct.ts'
import type { StepOf } from './moneySteps.ts'
import { same } from './sameFigures.ts'

/** The part of a life in which calls are admitted, charged at once or late, and reversed. */
export class CallsOfLife {
  readonly #life: Life
  readonly #calls: CallOfLife[] = []
  readonly #charged: string[] = []
  refused = 0

  constructor(life: Life) {
    this.#life = life
  }

  /** A call that is charged at once, if it is admitted. */
  async use({ cost }: StepOf<'use'>): Promise<void> {
    const isAdmitted = await this.call({ type: 'call', bound: cost })
    if (isAdmitted) await this.settle({ type: 'settle', which: this.#calls.length - 1, cost })
  }

  /** Whether it is admitted. */
  async call({ bound }: StepOf<'call'>): Promise<boolean> {
    const id = this.#life.name('call')
    const { model, now } = this.#life
    const expected = model.refusal(now) ?? model.hold(id, bound, now)
    const found = (await this.#life.product.gateway.refusal()) ?? (await this.#life.product.gateway.hold(id, bound))
    this.#life.say(`a call for at most ${bound} credits is ${expected === null ? 'admitted' : `refused, ${expected}`}`)
    same('admission', { is: expected }, { is: found })
    if (expected === null) this.#calls.push({ id, bound, admittedAt: now })
    else this.refused++
    return expected === null
  }

  async settle({ which, cost: wanted }: StepOf<'settle'>): Promise<void> {
    const [call] = this.#calls.splice(which % Math.max(1, this.#calls.length), 1)
    if (!call) return
    const cost = Math.min(wanted, call.bound)
    this.#life.say(`the call of ${isoTime(call.admittedAt).slice(5, 19)} costs ${cost}`)
    this.#life.model.lots.charge(call.id, cost, call.admittedAt)
    this.#life.model.callEnded(call.id)
    this.#charged.push(call.id)
    const { gateway } = this.#life.product
    await this.#life.product.charge(call, cost, await gateway.cover(call.id, cost))
    await this.#life.product.follow()
    await gateway.settle(call.id, cost)
  }

  async fail({ which }: StepOf<'fail'>): Promise<void> {
    const [call] = this.#calls.splice(which % Math.max(1, this.#calls.length), 1)
    if (!call) return
    this.#life.say(`the call of ${isoTime(call.admittedAt).slice(5, 19)} fails`)
    this.#life.model.callEnded(call.id)
    this.#life.product.gateway.release(call.id)
    await this.#life.product.fail(call)
  }

  async reverse({ which }: StepOf<'reverse'>): Promise<void> {
    const [callId] = this.#charged.splice(which % Math.max(1, this.#charged.length), 1)
    if (callId === undefined) return
    this.#life.say('a charge is reversed')
    this.#life.model.lots.reverse(callId, this.#life.now)
    await this.#life.product.reverse(callId)
  }
}
