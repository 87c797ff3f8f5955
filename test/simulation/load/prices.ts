import type { AliasPrice, Rates } from '../../../contracts/events/pricing.ts'
import type { Random } from '../scheduler/random.ts'

/** Sizes that the input of calls has, or comes close to. */
const THRESHOLDS = [20, 60, 79, 80]
const PART_SHARE = 0.4
const TIERS_SHARE = 0.4
const MICROS = 1_000_000

/** `details` draws what the price has besides input, output, cached input and a fee. */
export function anyPrice(random: Random, details: Random): AliasPrice {
  const rate = (least: number, limit: number) => String(Math.floor(random.between(least, limit) * MICROS))
  const rates = {
    ...{ input: rate(200, 2_000), output: rate(1_000, 6_000) },
    ...(random.chance(0.5) && { cachedInput: rate(10, 200) }),
  }
  const fee = random.chance(0.3) ? { callMicros: String(random.below(20_000)) } : {}
  return detailedPrice({ rates, ...fee }, details)
}

/** A price as an admin enters it. */
export function priceInput(inputPerMillionTokens: number, details: Random) {
  const rates = { inputPerMillionTokens, outputPerMillionTokens: 3 * inputPerMillionTokens }
  if (!details.chance(TIERS_SHARE)) return rates
  const larger = {
    inputPerMillionTokens: 1.5 * inputPerMillionTokens,
    outputPerMillionTokens: 4 * inputPerMillionTokens,
  }
  return {
    ...rates,
    ...{
      cacheWrite1hPerMillionTokens: 2 * inputPerMillionTokens,
      reasoningPerMillionTokens: 5 * inputPerMillionTokens,
    },
    inputTiers: [{ tokens: 1_000, inclusive: details.chance(0.5), ...larger }],
    units: [{ unit: 'tool:web_search', credits: 0.01 }],
    serviceTiers: [{ tier: 'priority', factor: 1.75 }],
  }
}

/** The price with some of what prices may have besides: rates of parts, rates for larger input, and service tiers. */
export function detailedPrice({ rates, ...others }: AliasPrice, random: Random): AliasPrice {
  return {
    ...others,
    rates: detailedRates(rates, random),
    ...(random.chance(TIERS_SHARE) && { inputTiers: tiersAbove(rates, random) }),
    ...(random.chance(TIERS_SHARE) && { tierFactors: { flex: '500000', priority: '1750000' } }),
  }
}

function detailedRates(rates: Rates, random: Random): Rates {
  const about = (rate: string) => timesOf(rate, random.between(0.1, 2))
  return {
    ...rates,
    ...(random.chance(PART_SHARE) && { cacheWrite: about(rates.input) }),
    ...(random.chance(PART_SHARE) && { cacheWrite1h: about(rates.input) }),
    ...(random.chance(PART_SHARE) && { reasoning: about(rates.output) }),
  }
}

function tiersAbove(rates: Rates, random: Random): NonNullable<AliasPrice['inputTiers']> {
  const thresholds = THRESHOLDS.filter(() => random.chance(0.5))
  return thresholds.map((tokens) => {
    const times = random.between(0.5, 2)
    const larger = { input: timesOf(rates.input, times), output: timesOf(rates.output, times) }
    return { tokens, inclusive: random.chance(0.5), rates: detailedRates(larger, random) }
  })
}

function timesOf(rate: string, times: number): string {
  return String(Math.floor(Number(rate) * times))
}
