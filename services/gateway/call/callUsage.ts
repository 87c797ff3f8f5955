import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { CallFacts } from '../../../contracts/events/ledger.ts'
import { providerCostMicros } from '../../../domain/pricing/providerCost.ts'
import type { Usage } from '../../../domain/pricing/usage.ts'

const NOTHING: Usage = { tokensIn: 0, tokensOut: 0, tokensCached: null, tokensCacheWrite: null }

type CostFacts = Pick<CallFacts, 'provider' | 'costMicros' | 'costCurrency' | 'tokensCached' | 'tokensCacheWrite'>

export type ProviderCost = { readonly micros: bigint; readonly currency: string }

/** The usage of a call at its providers, and their charges to us. A parse call may ask twice. */
export class CallUsage {
  #provider: Provider | null = null
  #tokens: Usage = NOTHING
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

  get tokens(): Usage {
    return this.#tokens
  }

  /** The provider being asked. The ledger names the last one. */
  sentTo(provider: Provider): void {
    this.#provider = provider
  }

  /** Adds what the provider that was asked last reports. */
  add(usage: Usage): void {
    const isFirst = this.#tokens === NOTHING
    const cost = this.#provider?.cost
    const isKnown = cost !== undefined && (isFirst || cost.currency === this.#costCurrency)
    // The sum is unknown if one of the costs is unknown, or if the currencies differ.
    this.#costMicros = isKnown ? (this.#costMicros ?? 0n) + providerCostMicros(cost, usage) : null
    this.#costCurrency = isKnown ? cost.currency : null
    this.#tokens = isFirst ? usage : sumOf(this.#tokens, usage)
  }

  /** For the ledger. The tokens that are charged may be fewer than those that were used. */
  facts({ tokensCached, tokensCacheWrite }: Usage = this.#tokens): CostFacts {
    return {
      provider: this.provider,
      costMicros: this.#costMicros === null ? null : this.#costMicros.toString(),
      costCurrency: this.#costCurrency,
      tokensCached,
      tokensCacheWrite,
    }
  }
}

function sumOf(a: Usage, b: Usage): Usage {
  return {
    tokensIn: a.tokensIn + b.tokensIn,
    tokensOut: a.tokensOut + b.tokensOut,
    tokensCached: sumIfAny(a.tokensCached, b.tokensCached),
    tokensCacheWrite: sumIfAny(a.tokensCacheWrite, b.tokensCacheWrite),
  }
}

/** Null if neither is known. */
function sumIfAny(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0)
}
