import { describe, expect, test } from 'vitest'
import { NEW_OFFER, nextPlace, offerFaults, packInput, planInput } from './offerDraft.ts'

const DRAFT = { ...NEW_OFFER, name: ' Summer ', credits: '100.5', price: '9.50', currency: 'EUR' }

describe('a new offer', () => {
  test('needs a name, credits, a price and a currency', () => {
    expect(offerFaults('pack', DRAFT)).toEqual({})
    const empty = { ...NEW_OFFER, currency: '' }
    expect(Object.keys(offerFaults('plan', empty))).toEqual(['name', 'credits', 'price', 'currency'])
    for (const credits of ['0', '-1', '1e3', '1.1234567'])
      expect(Object.keys(offerFaults('pack', { ...DRAFT, credits }))).toEqual(['credits'])
  })

  test('is sent as it was typed, a pack with its days and a plan with its share', () => {
    const common = { name: 'Summer', price: 9.5, currency: 'eur', sortOrder: 3 }
    expect(packInput({ ...DRAFT, validDays: '90' }, 3)).toEqual({ ...common, credits: 100.5, validDays: 90 })
    expect(packInput(DRAFT, 3).validDays).toBeNull()
    const plan = { ...common, billingMode: 'PREPAID', creditsPerPeriod: 100.5 }
    expect(planInput({ ...DRAFT, rolloverPercent: '25' }, 3)).toEqual({ ...plan, rolloverShare: 0.25 })
    expect(planInput({ ...DRAFT, rolloverPercent: '0' }, 3).rolloverShare).toBe(0)
    expect(planInput({ ...DRAFT, rolloverPercent: '12.3457' }, 3).rolloverShare).toBe(0.123457)
    expect(planInput(DRAFT, 3).rolloverShare).toBeNull()
  })

  test('is valid for whole days, and rolls over a percentage', () => {
    for (const validDays of ['0', '-1', '1.5', '3651', 'ten'])
      expect(Object.keys(offerFaults('pack', { ...DRAFT, validDays }))).toEqual(['validDays'])
    for (const rolloverPercent of ['101', '-1', '12.34567', 'half'])
      expect(Object.keys(offerFaults('plan', { ...DRAFT, rolloverPercent }))).toEqual(['rolloverPercent'])
  })

  test('of a plan that is paid by invoice rolls nothing over, whatever was typed before', () => {
    const postpaid = { ...DRAFT, billingMode: 'POSTPAID', rolloverPercent: '400' } as const
    expect(offerFaults('plan', postpaid)).toEqual({})
    expect(planInput(postpaid, 1).rolloverShare).toBeNull()
  })
})

test('a new offer comes after those for sale', () => {
  expect(nextPlace([])).toBe(1)
  expect(nextPlace([{ sortOrder: 7 }, { sortOrder: -2 }])).toBe(8)
})
