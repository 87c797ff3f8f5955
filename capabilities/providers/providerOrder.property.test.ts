import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { providersInOrder } from './providerOrder.ts'

const named = (...weights: (number | undefined)[]) => weights.map((weight, n) => ({ name: `p${n}`, weight }))
/** A call id whose random part is this fraction of the whole. */
const callId = (fraction: number) =>
  `019a0000-0000-7000-8000-0000${Math.min(Math.floor(fraction * 2 ** 32), 2 ** 32 - 1)
    .toString(16)
    .padStart(8, '0')}`
const order = (providers: ReturnType<typeof named>, fraction: number, strategy?: 'order' | 'weighted') =>
  providersInOrder({ strategy, providers }, 'chat', callId(fraction)).map(({ name }) => name)

describe('the order in which a call tries the providers of its alias', () => {
  test('is that of the file unless the strategy is weighted', () => {
    expect(order(named(1, 9), 0.99)).toEqual(['p0', 'p1'])
    expect(order(named(1, 9), 0.99, 'order')).toEqual(['p0', 'p1'])
  })

  test('begins with each provider in proportion to its weight, which is 1 if it is not set', () => {
    const providers = named(undefined, 0, 3)
    const firsts = [0, 0.2499, 0.25, 0.6, 0.9999].map((fraction) => order(providers, fraction, 'weighted')[0])
    expect(firsts).toEqual(['p0', 'p0', 'p2', 'p2', 'p2'])
  })

  test('continues with the others in the order of the file', () => {
    expect(order(named(1, 1, 1), 0.5, 'weighted')).toEqual(['p1', 'p0', 'p2'])
    expect(order(named(1, 1, 1), 0.99, 'weighted')).toEqual(['p2', 'p0', 'p1'])
  })

  test('does not begin with a provider that does not serve the API of the call', () => {
    const [first, second, third] = named(1, 8, 1).map((each, n) => ({
      ...each,
      wires: n === 1 ? ['messages' as const] : undefined,
    }))
    const providers = [first, second, third].filter((each) => each !== undefined)
    const firstOf = (wire: 'chat' | 'messages', fraction: number) =>
      providersInOrder({ strategy: 'weighted', providers }, wire, callId(fraction))[0]?.name
    expect([0.4, 0.6].map((fraction) => firstOf('chat', fraction))).toEqual(['p0', 'p2'])
    expect([0.4, 0.6].map((fraction) => firstOf('messages', fraction))).toEqual(['p1', 'p1'])
    expect(providersInOrder({ strategy: 'weighted', providers }, 'responses', callId(0.9))).toEqual(providers)
  })

  test('has every provider once, and never begins with one of weight 0 if another has a weight', () => {
    const weights = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1_000, noNaN: true })), {
      minLength: 1,
      maxLength: 16,
    })
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (each, fraction) => {
        const providers = named(...each)
        const tried = order(providers, fraction, 'weighted')
        expect(tried.toSorted()).toEqual(providers.map(({ name }) => name).toSorted())
        const first = providers.find(({ name }) => name === tried[0])
        if (each.some((weight) => weight > 0)) expect(first?.weight).toBeGreaterThan(0)
      }),
    )
  })
})
