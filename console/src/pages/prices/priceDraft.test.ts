import { describe, expect, test } from 'vitest'
import { bookOf, type Draft, type Edit, edited, editOf, faultsIn, othersIn, type Price } from './priceDraft.ts'

const NO_RATES = {
  ...{ cachedInputPerMillionTokens: null, cacheWritePerMillionTokens: null, cacheWrite1hPerMillionTokens: null },
  ...{ audioInputPerMillionTokens: null, imageInputPerMillionTokens: null, reasoningPerMillionTokens: null },
  ...{ audioOutputPerMillionTokens: null, imageOutputPerMillionTokens: null },
}
const PRICE: Price = {
  ...{ alias: 'svc/chat', bookId: 'b', ...NO_RATES },
  ...{ inputPerMillionTokens: 2, outputPerMillionTokens: 6.5, perCall: null },
  ...{ inputTiers: [], units: [], serviceTiers: [] },
}
const WHOLE: Price = {
  ...PRICE,
  ...{ cachedInputPerMillionTokens: 0.2, cacheWrite1hPerMillionTokens: 4, reasoningPerMillionTokens: 7, perCall: 0.01 },
  inputTiers: [{ ...NO_RATES, tokens: 200_000, inclusive: true, inputPerMillionTokens: 4, outputPerMillionTokens: 13 }],
  units: [
    { unit: 'image', credits: 0.01 },
    { unit: 'tool:web_search', credits: 0.00000000001 },
  ],
  serviceTiers: [{ tier: 'priority', factor: 1.75 }],
}
const NOTHING: Draft = new Map()
const edit = editOf(PRICE)
const withCells = (cells: Partial<Edit['cells']>, of = edit): Edit => ({ ...of, cells: { ...of.cells, ...cells } })

test('the book contains only edited aliases and omits empty prices', () => {
  const draft = edited(NOTHING, 'svc/chat', withCells({ perCall: '0.01' }), PRICE)
  expect(bookOf(draft, null)).toEqual({
    prices: [{ alias: 'svc/chat', inputPerMillionTokens: 2, outputPerMillionTokens: 6.5, perCall: 0.01 }],
    retire: [],
  })
})

test('a change of one rate keeps every other dimension of the price', () => {
  const draft = edited(NOTHING, 'svc/chat', withCells({ inputPerMillionTokens: '3' }, editOf(WHOLE)), WHOLE)
  expect(bookOf(draft, null).prices).toEqual([
    {
      ...{ alias: 'svc/chat', inputPerMillionTokens: 3, cachedInputPerMillionTokens: 0.2 },
      ...{ cacheWrite1hPerMillionTokens: 4, outputPerMillionTokens: 6.5, reasoningPerMillionTokens: 7, perCall: 0.01 },
      inputTiers: [{ tokens: 200_000, inclusive: true, inputPerMillionTokens: 4, outputPerMillionTokens: 13 }],
      ...{ units: WHOLE.units, serviceTiers: WHOLE.serviceTiers },
    },
  ])
})

test('tiers of input are published by rising threshold, in whatever order they were entered', () => {
  const [tier] = editOf(WHOLE).inputTiers
  if (!tier) throw new Error('the price has a tier')
  const whole = { ...editOf(WHOLE), inputTiers: [tier, { ...tier, tokens: '128000', inclusive: false }] }
  const [price] = bookOf(edited(NOTHING, 'svc/chat', whole, WHOLE), null).prices ?? []
  expect(price?.inputTiers?.map(({ tokens, inclusive }) => [tokens, inclusive])).toEqual([
    [128_000, false],
    [200_000, true],
  ])
})

test('undoing an edit leaves no difference, in a cell, a tier or a unit', () => {
  const changed = edited(NOTHING, 'svc/chat', withCells({ perCall: '1' }), PRICE)
  expect(edited(changed, 'svc/chat', edit, PRICE).size).toBe(0)
  const whole = editOf(WHOLE)
  const without = edited(NOTHING, 'svc/chat', { ...whole, units: [] }, WHOLE)
  expect(without.size).toBe(1)
  expect(edited(without, 'svc/chat', whole, WHOLE).size).toBe(0)
})

test("a retired alias is in the company's book without prices", () => {
  const draft = edited(NOTHING, 'svc/chat', { ...editOf(WHOLE), isRetired: true }, WHOLE)
  expect(bookOf(draft, 'c')).toEqual({ prices: [], retire: ['svc/chat'], companyId: 'c' })
})

test('what a price has besides the columns of the grid is named', () => {
  expect(othersIn(edit)).toEqual([])
  expect(othersIn(editOf(WHOLE))).toEqual([
    ...['cache write 1 h', 'reasoning', 'input from 200,000 tokens', 'image', 'call of web_search', 'priority × 1.75'],
  ])
})

describe('the faults of a price', () => {
  const found = (changes: Partial<Edit>) => [...faultsIn({ ...editOf(WHOLE), ...changes })]

  test('are missing input and output rates, and rates that are negative or have more than six decimals', () => {
    const empty = editOf(undefined)
    expect([...faultsIn(empty)]).toEqual(['inputPerMillionTokens', 'outputPerMillionTokens'])
    expect([...faultsIn({ ...empty, isRetired: true })]).toEqual([])
    expect([...faultsIn(withCells({ perCall: '-1' }))]).toEqual(['perCall'])
    expect([...faultsIn(withCells({ reasoningPerMillionTokens: '0.0000001' }))]).toEqual(['reasoningPerMillionTokens'])
    expect([...faultsIn(withCells({ inputPerMillionTokens: ' 0 ' }))]).toEqual([])
  })

  test('are tiers without a threshold or a rate', () => {
    expect(found({})).toEqual([])
    const cells = editOf(undefined).cells
    expect(found({ inputTiers: [{ tokens: '1.5', inclusive: false, cells }] })).toEqual([
      ...['inputTiers.0.tokens', 'inputTiers.0.inputPerMillionTokens', 'inputTiers.0.outputPerMillionTokens'],
    ])
  })

  test('are units and service tiers without a name, named twice, or with too many decimals', () => {
    const units = [
      { name: 'image', number: '0.000000000001' },
      { name: ' image', number: '0.0000000000001' },
      { name: '', number: '1' },
    ]
    expect(found({ units })).toEqual(['units.1.name', 'units.1.number', 'units.2.name'])
    expect(found({ serviceTiers: [{ name: 'flex', number: '0.0000001' }] })).toEqual(['serviceTiers.0.number'])
  })
})
