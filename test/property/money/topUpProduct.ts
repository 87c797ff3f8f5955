import type { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import type { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { LaterPayment, PaymentOutcome } from '../../../capabilities/payments/savedPayments.ts'
import { type StreamName, streamName } from '../../../contracts/streams.ts'
import { disputeDecider } from '../../../domain/dispute/decider.ts'
import { type TopUpCommand, topUpDecider } from '../../../domain/topUp/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { handleTopUp } from '../../../services/reactor/topUp/handleTopUp.ts'
import { runAttempt } from '../../../services/reactor/topUp/runAttempt.ts'
import { topUpPaid } from '../../../services/reactor/topUp/settleTopUp.ts'
import { type StartingParts, startAttempt } from '../../../services/reactor/topUp/startAttempt.ts'
import { PURCHASE, USER } from '../../support/events/billingEvents.ts'
import type { LifeClock } from './lifeClock.ts'
import type { MoneyEngines } from './moneyEngines.ts'
import type { ProviderWorld } from './providerWorld.ts'
import type { Settings, TopUpPack } from './topUpLife.ts'

const ACTOR = { kind: 'system', name: 'test' } as const

export type Bank = 'pays' | 'declines' | 'asks' | 'answer is lost'
export type Payment = { readonly of: LaterPayment; readonly madeAt: number; outcome: PaymentOutcome }

type Parts = {
  readonly commands: CommandHandler
  readonly ledger: LedgerWriter
  readonly clock: LifeClock
  readonly engines: MoneyEngines
  readonly world: ProviderWorld
}

/** Automatic top-up as the reactor carries it out, and the payments of the provider. */
export class TopUpProduct {
  readonly payments: Payment[] = []
  readonly #companyId: string
  readonly #parts: Parts
  #bank: Bank = 'pays'
  #names = 0

  constructor(companyId: string, parts: Parts) {
    this.#companyId = companyId
    this.#parts = parts
  }

  async begin(pack: TopUpPack): Promise<void> {
    this.#parts.engines.rows['read_models.credit_packs'] = () => [{ ...packOf(pack), status: 'ACTIVE' }]
    const saved = { methodId: 'pm_1', customerId: 'cus_1', purchaseId: PURCHASE, userId: USER }
    await this.#handle({ type: 'SaveMethod', companyId: this.#companyId, ...saved, at: this.#now() })
  }

  async set({ threshold, ceiling }: Settings, pack: TopUpPack): Promise<void> {
    const amounts = { thresholdMicros: BigInt(threshold), monthlyCeiling: String(ceiling / 100), pack: packOf(pack) }
    await this.#handle({ type: 'SetTopUp', companyId: this.#companyId, ...amounts, userId: USER, at: this.#now() })
  }

  async switchOff(): Promise<void> {
    await this.#handle({ type: 'SwitchOffTopUp', companyId: this.#companyId, userId: USER, at: this.#now() })
  }

  /** One round of the reactor. */
  async round(bank: Bank, balance: { readonly balanceMicros: string; readonly grantsMicros: string }): Promise<void> {
    this.#bank = bank
    const parts = this.#startingParts()
    await startAttempt(parts, { companyId: this.#companyId, ...balance })
    await runAttempt(parts, this.#companyId).catch((error: unknown) => {
      if (!(error instanceof AnswerLost)) throw error
    })
  }

  /** The holder of the method confirms a payment to the bank. */
  confirm(payment: Payment): void {
    const { paymentIntentId } = payment.outcome
    if (payment.outcome.status !== 'needs confirmation' || paymentIntentId === null) return
    payment.outcome = this.#succeeded(paymentIntentId, payment.madeAt, payment.of)
  }

  /** The provider's event about a payment that was made. */
  async hear({ of, outcome }: Payment): Promise<void> {
    if (outcome.status !== 'succeeded') return
    const { paymentIntentId: id, created, currency, paidMinor, status } = outcome
    const metadata = { topUpAttemptId: of.attemptId, companyId: of.companyId, purchaseId: of.purchaseId }
    const object = { id, status, created, currency, amount_received: Number(paidMinor), metadata }
    const event = { id: `evt_${id}_${this.#names++}`, type: 'payment_intent.succeeded', created, data: { object } }
    await topUpPaid(this.#startingParts(), event)
  }

  #startingParts(): StartingParts {
    const { commands, ledger, clock, engines, world } = this.#parts
    const stateOf = (id: string) => commands.stateOf(disputeDecider, streamName('dispute', id) as StreamName<'dispute'>)
    const unused = () => Promise.reject(new Error('a top-up has no invoice at the provider'))
    return {
      ...{ commands, ledger, clock, store: engines.store, database: engines.database },
      provider: { invoice: unused },
      savedPayments: {
        methodOf: async () => null,
        pay: async (payment) => this.#pay(payment),
        find: async ({ attemptId }) => this.payments.find(({ of }) => of.attemptId === attemptId)?.outcome ?? null,
        outcome: async (id) => this.#with(id).outcome,
        cancel: async (id) => this.#cancel(this.#with(id)),
      },
      hasOpenDispute: async () => {
        for (const { id } of world.disputes) if ((await stateOf(id)).status === 'open') return true
        return false
      },
      returnUrl: 'http://shop.example/back',
    }
  }

  /** A repeated request is answered like the first one, as the provider does it by the key of the attempt. */
  #pay(of: LaterPayment): PaymentOutcome {
    const known = this.payments.find((payment) => payment.of.attemptId === of.attemptId)
    if (known) return known.outcome
    const [id, madeAt] = [`pi_${of.attemptId}`, this.#parts.clock.now()]
    const outcomes: Record<Bank, PaymentOutcome> = {
      pays: this.#succeeded(id, madeAt, of),
      'answer is lost': this.#succeeded(id, madeAt, of),
      declines: { status: 'declined', paymentIntentId: id, reason: 'Your card was declined.' },
      asks: { status: 'needs confirmation', paymentIntentId: id, url: null },
    }
    const outcome = outcomes[this.#bank]
    this.payments.push({ of, madeAt, outcome })
    if (this.#bank === 'answer is lost') throw new AnswerLost('the connection broke')
    return outcome
  }

  #cancel(payment: Payment): PaymentOutcome {
    const { status, paymentIntentId } = payment.outcome
    if (status === 'needs confirmation' && paymentIntentId !== null) {
      payment.outcome = { status: 'canceled', paymentIntentId }
    }
    return payment.outcome
  }

  #with(id: string): Payment {
    const payment = this.payments.find(({ outcome }) => outcome.paymentIntentId === id)
    if (!payment) throw new Error(`there is no payment ${id}`)
    return payment
  }

  #succeeded(paymentIntentId: string, madeAt: number, of: LaterPayment): PaymentOutcome {
    const money = { paidMinor: of.amountMinor, currency: of.currency, created: Math.floor(madeAt / 1_000) }
    return { status: 'succeeded', paymentIntentId, ...money }
  }

  #handle(command: TopUpCommand): Promise<void> {
    const commandId = `top-up ${this.#names++} of ${this.#companyId}`
    return handleTopUp(this.#parts, command, { commandId, correlationId: 'test', actor: ACTOR })
  }

  #now(): string {
    return isoTime(this.#parts.clock.now())
  }
}

class AnswerLost extends Error {}

function packOf({ credits, minor, validDays }: TopUpPack) {
  const price = { price: String(minor / 100), currency: 'usd' }
  return { packId: deterministicId('the pack of a top-up'), creditsMicros: String(credits), ...price, validDays }
}

export const topUpStateOf = (commands: CommandHandler, companyId: string) =>
  commands.stateOf(topUpDecider, streamName('topUp', companyId))
