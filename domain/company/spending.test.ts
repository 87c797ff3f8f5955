import { describe, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import { LABEL_BUDGETS_MAX } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import type { Budget } from '../budget.ts'
import { NO_LIMITS } from '../callLimits.ts'
import { type CompanyCommand, companyDecider } from './decider.ts'
import { NO_KEY_RULES } from './spending.ts'

const given = specificationOf(companyDecider)

const companyId = '11111111-1111-4111-8111-111111111111'
const by = '22222222-2222-4222-8222-222222222222'
const at = '2026-03-01T10:00:00.000Z'
const set = { setBy: by, setAt: at }
const FIVE: Budget = { amountMicros: 5_000_000n, period: 'MONTH' }
const STORED = { amountMicros: '5000000', period: 'MONTH' } as const
const registered: CompanyEvent = {
  type: 'CompanyRegistered',
  data: { companyId, name: 'Acme', billingMode: 'PREPAID', hardCap: false, registeredAt: at },
}

describe('the budget of a company', () => {
  const setBudget = (budget: Budget | null): CompanyCommand => ({ type: 'SetCompanyBudget', companyId, budget, by, at })
  const budgetSet = (budget: typeof STORED | null): CompanyEvent => ({
    type: 'CompanyBudgetSet',
    data: { companyId, budget, ...set },
  })

  test('is set and removed, each once', () => {
    given(registered).when(setBudget(FIVE)).then(budgetSet(STORED))
    given(registered, budgetSet(STORED)).when(setBudget(FIVE)).thenNothing()
    given(registered, budgetSet(STORED)).when(setBudget(null)).then(budgetSet(null))
    given(registered, budgetSet(STORED), budgetSet(null)).when(setBudget(null)).thenNothing()
  })

  test('must be more than nothing, and needs a company', () => {
    given(registered)
      .when(setBudget({ ...FIVE, amountMicros: 0n }))
      .thenThrows('INVALID')
    given().when(setBudget(FIVE)).thenThrows('NOT_FOUND')
  })
})

describe('the budget of a label', () => {
  const setBudget = (label: string, budget: Budget | null = FIVE): CompanyCommand => ({
    ...{ type: 'SetLabelBudget', companyId, label },
    ...{ budget, by, at },
  })
  const budgetSet = (label: string, budget: typeof STORED | null = STORED): CompanyEvent => ({
    type: 'LabelBudgetSet',
    data: { companyId, label, budget, ...set },
  })

  test('is set and removed, each once, and apart from those of other labels', () => {
    given(registered, budgetSet('team-b')).when(setBudget('team-a')).then(budgetSet('team-a'))
    given(registered, budgetSet('team-a')).when(setBudget('team-a')).thenNothing()
    given(registered, budgetSet('team-a')).when(setBudget('team-a', null)).then(budgetSet('team-a', null))
    given(registered).when(setBudget('team-a', null)).thenNothing()
    given(registered, budgetSet('team-a'), budgetSet('team-a', null))
      .when(setBudget('team-a'))
      .then(budgetSet('team-a'))
  })

  test('may be that of a label with the name of a member of every object', () => {
    given(registered).when(setBudget('constructor', null)).thenNothing()
    given(registered).when(setBudget('constructor')).then(budgetSet('constructor'))
  })

  test('is refused for a text that is not a label', () => {
    given(registered)
      .when(setBudget('(other)'))
      .thenThrows('INVALID', /^label/)
    given(registered)
      .when(setBudget(''))
      .thenThrows('INVALID', /^label/)
  })

  test('is refused for one label more than the limit, but can be changed then', () => {
    const full = Array.from({ length: LABEL_BUDGETS_MAX }, (_, n) => budgetSet(`team-${n}`))
    given(registered, ...full)
      .when(setBudget('one more'))
      .thenThrows('CONFLICT', /at most 1000 labels/)
    given(registered, ...full)
      .when(setBudget('team-7', null))
      .then(budgetSet('team-7', null))
    given(registered, ...full, budgetSet('team-7', null))
      .when(setBudget('one more'))
      .then(budgetSet('one more'))
  })
})

describe('the limits of a company', () => {
  const limits = { rpm: 600, tpm: null, callsInFlight: 8 }
  const limitsSet: CompanyEvent = { type: 'CompanyLimitsSet', data: { companyId, limits, ...set } }

  test('are set once', () => {
    const command = { type: 'SetCompanyLimits', companyId, limits, by, at } as const
    given(registered).when(command).then(limitsSet)
    given(registered, limitsSet).when(command).thenNothing()
    given(registered)
      .when({ ...command, limits: NO_LIMITS })
      .thenNothing()
  })

  test.each(['rpm', 'tpm', 'callsInFlight'])('must be whole numbers: %s', (name) => {
    const wrong = { ...NO_LIMITS, [name]: 0 }
    given(registered)
      .when({ type: 'SetCompanyLimits', companyId, limits: wrong, by, at })
      .thenThrows('INVALID', new RegExp(`^${name}`))
  })
})

describe('the rules for keys of developers', () => {
  type Rules = Extract<CompanyCommand, { type: 'SetKeyRules' }>['rules']
  const setRules = (rules: Rules): CompanyCommand => ({ type: 'SetKeyRules', companyId, rules, by, at })
  const rulesSet: CompanyEvent = {
    type: 'KeyRulesSet',
    data: { companyId, rules: { defaultBudget: STORED, maximumBudget: STORED, projectRequired: true }, ...set },
  }

  test('are set once, and can be lifted', () => {
    const rules = { defaultBudget: FIVE, maximumBudget: FIVE, projectRequired: true }
    given(registered).when(setRules(rules)).then(rulesSet)
    given(registered, rulesSet).when(setRules(rules)).thenNothing()
    given(registered, rulesSet)
      .when(setRules({ defaultBudget: null, maximumBudget: null, projectRequired: false }))
      .then({ type: 'KeyRulesSet', data: { companyId, rules: NO_KEY_RULES, ...set } })
  })

  test('are refused if the default is beyond the maximum', () => {
    for (const defaultBudget of [
      { ...FIVE, amountMicros: 5_000_001n },
      { ...FIVE, period: 'DAY' as const },
    ]) {
      given(registered)
        .when(setRules({ defaultBudget, maximumBudget: FIVE, projectRequired: false }))
        .thenThrows('INVALID', /^defaultBudget/)
    }
  })
})
