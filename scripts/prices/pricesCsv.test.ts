import { describe, expect, test } from 'vitest'
import { requirePrice } from '../../domain/pricing/priceRules.ts'
import { decimalOf } from './decimal.ts'
import { csvPrices } from './pricesCsv.ts'

const ONE = decimalOf('1', '--times')
const RATES =
  'alias,input,cached_input,cache_write,cache_write_1h,audio_input,image_input,output,reasoning,audio_output,image_output'

/** The price of the only line. */
function priceOf(columns: string, cells: string, times = '1') {
  const [price] = [
    ...csvPrices(`alias,input,output,${columns}\na,2.5,10,${cells}`, decimalOf(times, 'it')).prices.values(),
  ]
  if (price === undefined) throw new Error('no price was read')
  requirePrice('a', price.price)
  return price.price
}

describe('a table of prices', () => {
  test('is read by its columns, in any order', () => {
    const { prices } = csvPrices(
      '\uFEFFalias,output,input,per_call\r\nacme/large, 10 ,2.5,\r\nacme/small,1,0.1,0.01\n\n',
      ONE,
    )
    expect([...prices.values()].map(({ price }) => price)).toEqual([
      { rates: { input: '2500000', output: '10000000' } },
      { rates: { input: '100000', output: '1000000' }, callMicros: '10000' },
    ])
  })

  test('has a column for each kind of tokens', () => {
    const { prices } = csvPrices(`${RATES}\na,1,2,3,4,5,6,7,8,9,10`, ONE)
    expect(prices.get('a')?.price).toEqual({
      rates: {
        ...{ input: '1000000', cachedInput: '2000000', cacheWrite: '3000000', cacheWrite1h: '4000000' },
        ...{ audioInput: '5000000', imageInput: '6000000', output: '7000000', reasoning: '8000000' },
        ...{ audioOutput: '9000000', imageOutput: '10000000' },
      },
    })
  })

  test('has lists of units, of service tiers and of tiers by the size of the input', () => {
    const columns = 'units,service_tiers,input_tiers'
    const tiers = '>200000 input=5 output=15 cached_input=0.5; >=1000000  output=30 input=10'
    expect(priceOf(columns, `image=0.04 tool:web_search=0.01,priority=2  flex=0.5,${tiers}`)).toEqual({
      rates: { input: '2500000', output: '10000000' },
      inputTiers: [
        {
          ...{ tokens: 200_000, inclusive: false },
          rates: { input: '5000000', cachedInput: '500000', output: '15000000' },
        },
        { tokens: 1_000_000, inclusive: true, rates: { input: '10000000', output: '30000000' } },
      ],
      unitRates: { image: '40000000000', 'tool:web_search': '10000000000' },
      tierFactors: { priority: '2000000', flex: '500000' },
    })
    expect(priceOf(columns, ',,')).toEqual({ rates: { input: '2500000', output: '10000000' } })
  })

  test('is multiplied, except for factors and sizes', () => {
    const cells = '0.1,image=0.04,priority=2,>200000 input=5 output=15'
    expect(priceOf('per_call,units,service_tiers,input_tiers', cells, '1.2')).toEqual({
      rates: { input: '3000000', output: '12000000' },
      inputTiers: [{ tokens: 200_000, inclusive: false, rates: { input: '6000000', output: '18000000' } }],
      unitRates: { image: '48000000000' },
      tierFactors: { priority: '2000000' },
      callMicros: '120000',
    })
  })

  test.each([
    ['alias,input\na,1', 'no column output'],
    ['alias,input,output,thinking\na,1,2,3', 'unknown columns thinking'],
    ['alias,input,output,input\na,1,2,3', 'the first line has the column input twice'],
    ['alias,input,output\na,1', 'line 2 has 2 fields instead of 3'],
    ['alias,input,output\na,1,2\na,1,3', 'line 3 names a a second time'],
    ['alias,input,output\na,,2', 'line 2 needs both input and output'],
    ['alias,input,output\na,-1,2', 'line 2, input'],
    ['alias,input,output\n"a",1,2', 'quotes'],
    ['', 'no column alias, input, output'],
    ['alias,input,output,units\na,1,2,image', 'line 2, units: "image" is not a name and an amount'],
    ['alias,input,output,units\na,1,2,image=1=2', 'line 2, units: "image=1=2" is not'],
    ['alias,input,output,units\na,1,2,image=dear', 'line 2, units, image: "dear" is not a decimal'],
    ['alias,input,output,units\na,1,2,image=1 image=2', 'line 2, units names image a second time'],
    ['alias,input,output,service_tiers\na,1,2,flex=-1', 'line 2, service_tiers, flex'],
    [
      'alias,input,output,service_tiers\na,1,2,flex=0.3333333',
      'line 2, service_tiers, flex: 0.3333333 has more than 6',
    ],
    ['alias,input,output,input_tiers\na,1,2,200000 input=1 output=2', 'line 2, input_tiers: "200000" is not a size'],
    ['alias,input,output,input_tiers\na,1,2,>0 input=1 output=2', 'line 2, input_tiers: ">0" is not a size'],
    ['alias,input,output,input_tiers\na,1,2,>9 input=1', 'line 2, input_tiers, >9 needs both input and output'],
    ['alias,input,output,input_tiers\na,1,2,>9 input=1 output=2 image=3', 'line 2, input_tiers: image is not a rate'],
  ])('%j is refused', (text, message) => {
    expect(() => csvPrices(text, ONE)).toThrow(message)
  })
})
