import type { Runtime } from '../../../capabilities/installation.ts'
import type { CallFacts } from '../../../contracts/events/ledger.ts'
import type { PriceApplied } from '../../../contracts/events/pricing.ts'
import type { UnitCounts, Usage } from '../../../domain/pricing/usage.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openProcess } from '../installation.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import { ALIASES } from './admins.ts'
import type { CommandBook } from './commandBook.ts'
import { detailedPrice } from './prices.ts'

const PAUSE_MS_MAX = 4_000
const CALLS_MAX = 3
const NEW_COMPANY_SHARE = 0.1
const FAILED_SHARE = 0.1
const REVERSED_SHARE = 0.1
const DETAILED_SHARE = 0.5
const LIMITED_SHARE = 0.2
const ABANDONED_SHARE = 0.1
const TIERS = [null, 'default', 'flex', 'priority'] as const
const MICROS = 1_000_000

type Caller = { readonly companyId: string; readonly keys: readonly string[] }

type Options = {
  readonly config: Config
  readonly book: CommandBook
  /** Companies whose keys call. */
  readonly companies: readonly Caller[]
}

/** Ends of calls, booked as a gateway does, by a process that is killed like any other. */
export class Charges implements Load {
  readonly #simulation: Simulation
  readonly #options: Options
  readonly #random: Random
  readonly #details: Random
  #isOn = false

  constructor(simulation: Simulation, options: Options) {
    this.#simulation = simulation
    this.#options = options
    this.#random = simulation.random('charges')
    this.#details = simulation.random('details of charges')
  }

  start(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#simulation.processes.start({
      name: 'writer',
      start: async (owner) =>
        this.#bookOnAndOn(await openProcess(this.#simulation, owner, { config: this.#options.config })),
    })
  }

  stop(): void {
    this.#isOn = false
  }

  #bookOnAndOn(runtime: Runtime): void {
    if (!this.#isOn) return
    setTimeout(() => this.#bookOnAndOn(runtime), this.#random.fraction() ** 3 * PAUSE_MS_MAX)
    const caller = this.#caller()
    for (let left = 1 + this.#random.below(CALLS_MAX); left > 0; left -= 1) void this.#call(runtime, caller)
  }

  /** A company that is new to the ledger, without anything else, is one whose registration a gateway has just seen. */
  #caller(): Caller {
    const { companies } = this.#options
    const isNew = companies.length === 0 || this.#random.chance(NEW_COMPANY_SHARE)
    return isNew ? { companyId: systemIds.uuid(), keys: [] } : this.#random.pick(companies)
  }

  async #call({ engines, clock }: Runtime, { companyId, keys }: Caller): Promise<void> {
    const random = this.#random
    const { ledger } = engines
    const actor = { kind: 'apiKey', id: keys.length > 0 ? random.pick(keys) : systemIds.uuid() } as const
    const call = callOf(companyId, actor.id, random, clock.now())
    const { callId } = call
    const ids = { companyId, callId }
    if (random.chance(FAILED_SHARE)) {
      const draft = ledger.draft({ type: 'FailCall', call, reason: 'the provider failed', tokensAbandoned: null })
      await this.#options.book.command('FailCall', ids, null, () => ledger.book(draft, callId, actor))
      return
    }
    const used = { tokensIn: 1 + random.below(2_000), tokensOut: random.below(1_000) }
    const draft = ledger.draft({ type: 'ChargeCall', call, ...this.#chargeOf(used, priceOf(random)) })
    const { event } = draft
    if (event.type !== 'CallCharged') throw new Error(`a charge became ${event.type}`)
    const { amountMicros } = event.data
    const booked = await this.#options.book.command('ChargeCall', ids, { amountMicros }, () =>
      ledger.book(draft, callId, actor),
    )
    if (!booked || !random.chance(REVERSED_SHARE)) return
    const at = isoTime(clock.now())
    const reversal = ledger.draft({ type: 'ReverseCharge', charge: event.data, reason: 'answered with 503', at })
    await this.#options.book.command('ReverseCharge', ids, { amountMicros }, () => ledger.book(reversal, callId, actor))
  }

  /** With parts of the input and the output, searches and service tiers. Some calls use more than they may be charged. */
  #chargeOf({ tokensIn, tokensOut }: Pick<Usage, 'tokensIn' | 'tokensOut'>, { bookId, ...plain }: PriceApplied) {
    const random = this.#details
    const searches = random.chance(DETAILED_SHARE) ? random.below(4) : 0
    const units: UnitCounts = searches > 0 ? { search: searches } : {}
    const serviceTier = random.pick(TIERS)
    const cachedInput = random.below(tokensIn + 1)
    const parts = {
      ...(random.chance(DETAILED_SHARE) && { cachedInput, cacheWrite1h: random.below(tokensIn - cachedInput + 1) }),
      ...(random.chance(DETAILED_SHARE) && { reasoning: random.below(tokensOut + 1) }),
    }
    const price = { ...detailedPrice(plain, random), bookId, unitRates: { search: String(random.below(10) * MICROS) } }
    return {
      usage: { tokensIn, tokensOut, parts, units, serviceTier },
      ...{ price, requestedTier: random.pick(TIERS) },
      mostMicros: random.chance(LIMITED_SHARE) ? BigInt(random.below(1_000_000)) : null,
      abandoned: random.chance(ABANDONED_SHARE),
    }
  }
}

function callOf(companyId: string, keyId: string, random: Random, nowMs: number): CallFacts {
  return {
    ...{ companyId, callId: systemIds.uuid(), keyId, alias: random.pick(ALIASES), endpoint: '/chat/completions' },
    ...{ streamed: random.chance(0.5), admittedAt: isoTime(nowMs - random.below(2_000)), finishedAt: isoTime(nowMs) },
    ...{
      label: null,
      provider: null,
      costMicros: null,
      costCurrency: null,
      tokensCached: null,
      tokensCacheWrite: null,
    },
  }
}

function priceOf(random: Random): PriceApplied {
  const input = (100 + random.below(900)) * 1_000_000
  return {
    bookId: '99999999-9999-4999-8999-999999999999',
    rates: { input: String(input), output: String(3 * input) },
  }
}
