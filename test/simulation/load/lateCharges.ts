import type { Runtime } from '../../../capabilities/installation.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openProcess } from '../installation.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { CommandBook } from './commandBook.ts'
import type { LapsingCompany } from './lapsingLots.ts'

const PAUSE_MS_MAX = 6_000
const REVERSED_SHARE = 0.3
const LONGEST_CALL_MS = 60_000

type Options = { readonly config: Config; readonly book: CommandBook; readonly company: LapsingCompany }
type Charged = Extract<LedgerEvent, { type: 'CallCharged' }>['data']

/**
 * Charges of calls that were admitted before credits expired, and settled hours later: around the time at which the expiry is
 * recorded. A gateway does so for calls of unknown outcome that it finds on its disk.
 */
export class LateCharges implements Load {
  readonly #simulation: Simulation
  readonly #options: Options
  readonly #random: Random
  #isOn = false

  constructor(simulation: Simulation, options: Options) {
    this.#simulation = simulation
    this.#options = options
    this.#random = simulation.random('late charges')
  }

  start(): void {
    this.#isOn = true
    this.#simulation.processes.start({
      name: 'settler',
      start: async (owner) =>
        this.#settleOnAndOn(await openProcess(this.#simulation, owner, { config: this.#options.config })),
    })
  }

  stop(): void {
    this.#isOn = false
  }

  #settleOnAndOn(runtime: Runtime): void {
    if (!this.#isOn) return
    setTimeout(() => this.#settleOnAndOn(runtime), this.#random.fraction() * PAUSE_MS_MAX)
    void this.#settle(runtime)
  }

  async #settle(runtime: Runtime): Promise<void> {
    const random = this.#random
    const { companyId, grantedMs, lastsMs } = this.#options.company
    const admittedMs = Math.floor(grantedMs + random.fraction() * lastsMs)
    const keyId = systemIds.uuid()
    const call = {
      ...{ companyId, callId: systemIds.uuid(), keyId, alias: 'svc/chat-default', endpoint: '/chat/completions' },
      ...{ streamed: random.chance(0.5), admittedAt: isoTime(admittedMs), label: null, provider: null },
      finishedAt: isoTime(admittedMs + random.below(LONGEST_CALL_MS)),
      ...{ costMicros: null, costCurrency: null },
    }
    const used = { tokensIn: 1 + random.below(2_000), tokensOut: random.below(1_000) }
    const usage = { ...used, parts: {}, units: {}, serviceTier: null }
    const rates = { input: '1000000000', output: '3000000000' }
    const price = { bookId: '99999999-9999-4999-8999-999999999999', rates }
    const asked = { requestedTier: null, mostMicros: null, abandoned: false }
    const draft = runtime.engines.ledger.draft({ type: 'ChargeCall', call, usage, price, ...asked })
    const { event } = draft
    if (event.type !== 'CallCharged') throw new Error(`a charge became ${event.type}`)
    const { amountMicros } = event.data
    const actor = { kind: 'apiKey', id: keyId } as const
    const ids = { companyId, callId: call.callId }
    const booked = await this.#options.book.command('ChargeCall', ids, { amountMicros }, () =>
      runtime.engines.ledger.book(draft, call.callId, actor),
    )
    if (!booked || !random.chance(REVERSED_SHARE)) return
    setTimeout(() => void this.#reverse(runtime, event.data), random.fraction() * PAUSE_MS_MAX)
  }

  async #reverse({ engines, clock }: Runtime, charge: Charged): Promise<void> {
    const { companyId, callId, keyId, amountMicros } = charge
    const at = isoTime(clock.now())
    const draft = engines.ledger.draft({ type: 'ReverseCharge', charge, reason: 'answered with 503', at })
    const actor = { kind: 'apiKey', id: keyId } as const
    await this.#options.book.command('ReverseCharge', { companyId, callId }, { amountMicros }, () =>
      engines.ledger.book(draft, callId, actor),
    )
  }
}
