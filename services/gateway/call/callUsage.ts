import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { CallFacts } from '../../../contracts/events/ledger.ts'
import { providerCostMicros } from '../../../domain/pricing/providerCost.ts'
import { NO_USAGE, sumOf, type Usage } from '../../../domain/pricing/usage.ts'
import { type ReportedUsage, usedAs } from '../wire/usage/usageShape.ts'

type CostFacts = Pick<CallFacts, 'provider' | 'costMicros' | 'costCurrency'>

export type ProviderCost = { readonly micros: bigint; readonly currency: string }

/** The usage of a call at its providers, and their charges to us. A parse call may ask twice. */
export class CallUsage {
  #provider: Provider | null = null
  #used: Usage = NO_USAGE
  #costMicros: bigint | null = null
  #costCurrency: string | null = null

  get provider(): string | null {
    return this.#provider?.name ?? null
  }

  /** What the providers charge us; null if it is not known. */
  get cost(): ProviderCost | null {
    return this.#costMicros === null || this.#costCurrency === null
      ? null
      : { micros: this.#costMicros, currency: this.#costCurrency }
  }

  get used(): Usage {
    return this.#used
  }

  /** The provider being asked. The ledger names the last one. */
  sentTo(provider: Provider): void {
    this.#provider = provider
  }

  /** The usage that the provider asked last means by what it reports. */
  meant(reported: ReportedUsage): Usage {
    return usedAs(this.#provider?.usage, reported)
  }

  /** Adds what the provider that was asked last has used. */
  add(usage: Usage): void {
    const isFirst = this.#used === NO_USAGE
    const cost = this.#provider?.cost
    const micros = cost === undefined ? null : providerCostMicros(cost, usage)
    const isKnown = micros !== null && (isFirst || cost?.currency === this.#costCurrency)
    // The sum is unknown if one of the costs is unknown, or if the currencies differ.
    this.#costMicros = isKnown ? (this.#costMicros ?? 0n) + micros : null
    this.#costCurrency = isKnown ? (cost?.currency ?? null) : null
    this.#used = isFirst ? usage : sumOf(this.#used, usage)
  }

  facts(): CostFacts {
    return {
      provider: this.provider,
      costMicros: this.#costMicros === null ? null : this.#costMicros.toString(),
      costCurrency: this.#costCurrency,
    }
  }
}
