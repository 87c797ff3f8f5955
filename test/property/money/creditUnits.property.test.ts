import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../support/cases/propertyRuns.ts'
import { type LifeStep, lifeOfCredits } from './creditLives.ts'
import { CreditUnits, type Grant } from './creditUnits.ts'

/** Lives through the steps, and checks what must hold after each. */
function live(steps: readonly LifeStep[]): void {
  const units = new CreditUnits()
  const lots: Grant[] = []
  const calls: { id: string; credits: number }[] = []
  let expected = 0
  for (const [now, each] of steps.entries()) {
    switch (each.type) {
      case 'grant': {
        const expiresAt = each.lasts === null ? null : now + each.lasts
        const grant = { ...each, lotId: `lot${lots.length}`, expiresAt }
        lots.push(grant)
        units.grant(grant, now)
        expected += each.credits
        break
      }
      case 'charge': {
        const call = { id: `call${calls.length}`, credits: each.credits }
        calls.push(call)
        units.charge(call.id, call.credits, now - each.late)
        expected -= call.credits
        break
      }
      case 'reverse': {
        const call = calls[each.which % calls.length]
        if (!call) break
        expected += call.credits
        call.credits = 0
        units.reverse(call.id, now)
        break
      }
      case 'expire': {
        const lot = lots[each.which % lots.length]
        if (lot && lot.expiresAt !== null && lot.expiresAt <= now) expected -= units.expire(lot.lotId)
        break
      }
      case 'take': {
        const lot = lots[each.which % lots.length]
        if (lot) expected -= units.take(each.takingId, lot.lotId, each.credits, now)
        break
      }
      case 'giveBack':
        expected += units.giveBack(each.takingId, each.credits, now)
    }
    check(units, now, expected)
  }
}

function check(units: CreditUnits, now: number, expected: number): void {
  const lots = units.lots()
  for (const { granted, spent, expired, taken, free } of lots) {
    expect(spent + expired).toBeLessThanOrEqual(granted)
    expect(expired + taken).toBeLessThanOrEqual(granted)
    // What is left follows from the sums alone: a product needs no more than these.
    expect(free).toBe(Math.max(0, granted - spent - expired - taken))
  }
  expect(units.balance).toBe(expected + units.owed.length)
  if (units.debt > 0) expect(units.usableAt(now)).toBe(-units.debt)
}

test('lives of credits add up', () => {
  fc.assert(fc.property(lifeOfCredits, live), { numRuns: propertyRuns({ few: 300, many: 10_000 }) })
})

describe('a call', () => {
  const lot = (name: string, { credits = 5, priority = 0, expiresAt = null as number | null } = {}): Grant => ({
    ...{ lotId: name, credits, priority, expiresAt },
  })
  const spent = (units: CreditUnits) => Object.fromEntries(units.lots().map((each) => [each.lotId, each.spent]))

  test('burns by priority, then by expiry, then by age', () => {
    const units = new CreditUnits()
    for (const grant of [lot('old'), lot('new'), lot('soon', { expiresAt: 9 }), lot('gift', { priority: 1 })])
      units.grant(grant, 0)
    units.charge('k', 17, 1)
    expect(spent(units)).toEqual({ gift: 5, soon: 5, old: 5, new: 2 })
  })

  test('burns no lot whose time had passed when it was admitted', () => {
    const units = new CreditUnits()
    units.grant(lot('soon', { expiresAt: 9 }), 0)
    units.charge('k', 3, 9)
    expect([spent(units), units.balance, units.usableAt(9)]).toEqual([{ soon: 0 }, 2, -3])
    units.charge('l', 2, 8)
    expect(spent(units)).toEqual({ soon: 2 })
  })

  test('that arrives after the expiry of its lot was decided is given the credits back', () => {
    const units = new CreditUnits()
    units.grant(lot('soon', { expiresAt: 9 }), 0)
    expect(units.expire('soon')).toBe(5)
    units.charge('k', 2, 8)
    expect(units.owed).toEqual([
      { neededBy: 'k', lotId: 'soon' },
      { neededBy: 'k', lotId: 'soon' },
    ])
    expect(units.lots()).toMatchObject([{ spent: 2, expired: 3 }])
  })

  test('that arrives late burns expired credits of a lot only if none is free', () => {
    const units = new CreditUnits()
    units.grant(lot('soon', { expiresAt: 9 }), 0)
    for (const [id, credits] of [['k', 2] as const, ['l', 3] as const]) units.charge(id, credits, 1)
    units.reverse('k', 2)
    expect(units.expire('soon')).toBe(2)
    units.reverse('l', 10)
    units.charge('m', 3, 8)
    expect([units.owed, units.lots()]).toMatchObject([[], [{ spent: 3, expired: 2, free: 0 }]])
  })

  test('goes back to its lots, and to the lot that paid its debt', () => {
    const units = new CreditUnits()
    units.grant(lot('first'), 0)
    units.charge('k', 8, 1)
    expect(units.debt).toBe(3)
    units.grant(lot('next'), 2)
    expect(spent(units)).toEqual({ first: 5, next: 3 })
    units.reverse('k', 3)
    expect(spent(units)).toEqual({ first: 0, next: 0 })
  })
})

describe('a taking', () => {
  const grant = (lotId: string) => ({ lotId, credits: 5, priority: 0, expiresAt: null })

  test('of credits that were spent is a debt, which the next lot pays and a reversal ends', () => {
    const units = new CreditUnits()
    units.grant(grant('first'), 0)
    units.charge('k', 4, 1)
    expect(units.take('refund', 'first', 5, 2)).toBe(5)
    expect(units.balance).toBe(-4)
    units.grant(grant('next'), 3)
    expect(units.balance).toBe(1)
    units.reverse('k', 4)
    expect(units.lots()).toMatchObject([
      { lotId: 'first', spent: 0, taken: 5, free: 0 },
      { lotId: 'next', spent: 0, free: 5 },
    ])
  })

  test('never exceeds the lot together with others, and undoes the expiry of what has expired', () => {
    const units = new CreditUnits()
    units.grant({ ...grant('first'), expiresAt: 4 }, 0)
    units.charge('k', 1, 1)
    expect(units.take('refund', 'first', 2, 2)).toBe(2)
    expect(units.expire('first')).toBe(2)
    expect(units.take('dispute', 'first', 5, 5)).toBe(3)
    expect(units.owed).toHaveLength(2)
    expect(units.lots()).toMatchObject([{ spent: 1, expired: 0, taken: 5 }])
    expect(units.balance).toBe(-1)
  })

  test('that is given back ends its debt first', () => {
    const units = new CreditUnits()
    units.grant(grant('first'), 0)
    units.charge('k', 3, 1)
    units.take('dispute', 'first', 5, 2)
    expect(units.giveBack('dispute', 3, 3)).toBe(3)
    expect([units.debt, units.balance]).toEqual([0, 0])
    expect(units.giveBack('dispute', 9, 3)).toBe(2)
    expect(units.balance).toBe(2)
  })

  test('that is given back ends what is still owed before it frees a lot that paid, whose time may have passed', () => {
    const units = new CreditUnits()
    units.grant({ ...grant('first'), credits: 2 }, 0)
    units.charge('k', 2, 1)
    units.grant({ ...grant('soon'), credits: 1, expiresAt: 4 }, 2)
    expect(units.take('refund', 'first', 2, 3)).toBe(2)
    expect(units.giveBack('refund', 1, 4)).toBe(1)
    expect([units.debt, units.usableAt(4)]).toEqual([0, 0])
    expect(units.lots()).toMatchObject([{ taken: 1 }, { lotId: 'soon', spent: 1, free: 0 }])
  })
})
