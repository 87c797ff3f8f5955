import { expect, test } from 'vitest'
import type { AliasPrice, InputTier } from '../../contracts/events/pricing.ts'
import { requirePrice } from './priceRules.ts'

const rates = { input: '1000000', output: '2000000' }
const tierAt = (tokens: number): InputTier => ({ tokens, inclusive: false, rates })

test.each<[string, Partial<AliasPrice>]>([
  ['two rates', {}],
  ['free tokens', { rates: { input: '0', output: '0' } }],
  ['rates of parts', { rates: { ...rates, cacheWrite1h: '4000000', reasoning: '1' } }],
  ['larger rates for larger input', { inputTiers: [tierAt(200_000), tierAt(1_000_000)] }],
  ['units', { unitRates: { image: '40000000000', 'tool:web_search': '10000000000' } }],
  ['service tiers', { tierFactors: { flex: '500000', priority: '2500000' } }],
])('a price with %s is accepted', (_, price) => {
  expect(() => requirePrice('chat', { rates, ...price })).not.toThrow()
})

test.each<[string, Partial<AliasPrice>, RegExp]>([
  ['a negative rate', { rates: { ...rates, input: '-1' } }, /input of chat must be a whole number/],
  ['a fraction of a millionth', { rates: { ...rates, reasoning: '0.5' } }, /reasoning of chat must be/],
  ['an absurdly high rate', { rates: { ...rates, output: '1000000000000000001' } }, /at most 1000000000000/],
  ['a tier at no tokens', { inputTiers: [tierAt(0)] }, /must be a positive whole number, not 0/],
  ['tiers that do not rise', { inputTiers: [tierAt(5), tierAt(5)] }, /must rise, but 5 tokens follow 5/],
  ['too many tiers', { inputTiers: [1, 2, 3, 4, 5].map(tierAt) }, /has 5 input tiers, and may have 4/],
  [
    'a negative rate in a tier',
    { inputTiers: [{ ...tierAt(5), rates: { ...rates, input: '-1' } }] },
    /more than 5 tokens/,
  ],
  ['a unit that is never counted', { unitRates: { pixel: '1' } }, /"pixel" is not among the known units of chat/],
  ['a factor above a hundred', { tierFactors: { priority: '100000001' } }, /priority among the service tiers of chat/],
  ['a negative fee', { callMicros: '-1' }, /call of chat must be/],
])('a price with %s is refused', (_, price, message) => {
  expect(() => requirePrice('chat', { rates, ...price })).toThrow(message)
})
