import { describe, expect, test } from 'vitest'
import type { KeySettings } from '../../../../domain/apiKey/decider.ts'
import type { Budget } from '../../../../domain/budget.ts'
import { NO_KEY_RULES } from '../../../../domain/company/spending.ts'
import {
  budgetOfNewKey,
  type DeveloperRights,
  type PresentKey,
  requireAllowedChanges,
  requireMintable,
} from './developerKeys.ts'

const OWN = '33333333-3333-4333-8333-333333333333'
const FOREIGN = '44444444-4444-4444-8444-444444444444'
const FIVE: Budget = { amountMicros: 5_000_000n, period: 'MONTH' }
const STORED = { amountMicros: '5000000', period: 'MONTH' } as const
const FREE: DeveloperRights = { rules: NO_KEY_RULES, isMemberOf: (projectId) => projectId === OWN }
const CAPPED: DeveloperRights = { ...FREE, rules: { ...NO_KEY_RULES, maximumBudget: STORED } }
const forbidden = (message: RegExp) => expect.objectContaining({ message: expect.stringMatching(message) })

describe('a key that a developer mints', () => {
  const minting = (wanted: Partial<Parameters<typeof requireMintable>[0]>, rights: DeveloperRights) => () =>
    requireMintable({ budget: null, projectId: null, ...wanted }, rights)

  test('gets the default budget if none is named', () => {
    const rules = { ...NO_KEY_RULES, defaultBudget: STORED }
    expect(budgetOfNewKey(null, rules)).toEqual(FIVE)
    expect(budgetOfNewKey({ ...FIVE, amountMicros: 1n }, rules)).toEqual({ ...FIVE, amountMicros: 1n })
    expect(budgetOfNewKey(null, NO_KEY_RULES)).toBeNull()
  })

  test('may have any budget, or none, if there is no maximum', () => {
    expect(minting({}, FREE)).not.toThrow()
    expect(minting({ budget: FIVE }, FREE)).not.toThrow()
  })

  test('may have at most the maximum, in the same period, and must have a budget then', () => {
    expect(minting({ budget: FIVE }, CAPPED)).not.toThrow()
    const beyond = [{ ...FIVE, amountMicros: 5_000_001n }, { ...FIVE, period: 'DAY' as const }, null]
    for (const budget of beyond) {
      expect(minting({ budget }, CAPPED)).toThrow(forbidden(/at most 5 credits a month, with the period MONTH/))
    }
  })

  test('must be in a project if the company requires it, and only in one of the developer', () => {
    const strict = { ...FREE, rules: { ...NO_KEY_RULES, projectRequired: true } }
    expect(minting({}, strict)).toThrow(forbidden(/must be in a project/))
    expect(minting({ projectId: OWN }, strict)).not.toThrow()
    for (const rights of [FREE, strict]) {
      expect(minting({ projectId: FOREIGN }, rights)).toThrow(forbidden(/only into projects that they are a member of/))
    }
  })
})

describe('a key that a developer changes', () => {
  const NOTHING: PresentKey = { projectId: null, label: null, labelFixed: false, callsInFlight: null, budget: null }
  const changing =
    (present: Partial<PresentKey>, changes: Partial<KeySettings>, rights = FREE) =>
    () =>
      requireAllowedChanges({ ...NOTHING, ...present }, changes, rights)

  test('may be given a budget within the maximum, which can be lowered, but not raised, replaced or removed', () => {
    expect(changing({}, { budget: FIVE })).not.toThrow()
    expect(changing({}, { budget: null })).not.toThrow()
    expect(changing({}, { budget: { ...FIVE, amountMicros: 6_000_000n } }, CAPPED)).toThrow(
      forbidden(/at most 5 credits/),
    )
    expect(changing({ budget: STORED }, { budget: { ...FIVE, amountMicros: 4_000_000n } })).not.toThrow()
    for (const budget of [{ ...FIVE, amountMicros: 6_000_000n }, { ...FIVE, period: 'DAY' as const }, null]) {
      expect(changing({ budget: STORED }, { budget })).toThrow(forbidden(/not raise, replace or remove/))
    }
  })

  test('may be put into a project of the developer, and stays there', () => {
    expect(changing({}, { projectId: OWN })).not.toThrow()
    expect(changing({}, { projectId: FOREIGN })).toThrow(forbidden(/only into projects/))
    expect(changing({ projectId: FOREIGN }, { projectId: FOREIGN, name: 'same' })).not.toThrow()
    for (const projectId of [OWN, null]) {
      expect(changing({ projectId: FOREIGN }, { projectId })).toThrow(forbidden(/out of its project or move it/))
    }
  })

  test('keeps a fixed label; any other one may be changed or fixed', () => {
    const fixed = { label: 'team-a', labelFixed: true }
    expect(changing(fixed, { ...fixed, name: 'same' })).not.toThrow()
    for (const changes of [{ labelFixed: false }, { label: 'team-b' }, { label: null }]) {
      expect(changing(fixed, changes)).toThrow(forbidden(/fixed to "team-a"/))
    }
    expect(changing({ label: 'team-a' }, { label: 'team-b', labelFixed: true })).not.toThrow()
  })

  test('may have fewer calls in flight, but not more', () => {
    expect(changing({}, { callsInFlight: 9 })).not.toThrow()
    expect(changing({ callsInFlight: 4 }, { callsInFlight: 4 })).not.toThrow()
    expect(changing({ callsInFlight: 4 }, { callsInFlight: 1 })).not.toThrow()
    for (const callsInFlight of [5, null]) {
      expect(changing({ callsInFlight: 4 }, { callsInFlight })).toThrow(forbidden(/which is 4, but not raise/))
    }
  })
})
