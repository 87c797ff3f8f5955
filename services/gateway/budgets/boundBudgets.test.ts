import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { BudgetPeriod } from '../../../contracts/events/apiKey.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { labelAccount, projectAccount } from '../../../domain/budgetAccounts.ts'
import { history } from '../../../test/support/events/history.ts'
import { charged } from '../../../test/support/events/ledgerEvents.ts'
import { BudgetView } from '../views/budgets.ts'
import { CompanyView } from '../views/companies.ts'
import type { KeyFamily } from '../views/keys.ts'
import { spendingViews } from '../views/spend.ts'
import { budgetRefusal } from './boundBudgets.ts'
import { heldAccounts } from './heldAccounts.ts'

const COMPANY = randomUUID()
const PROJECT = randomUUID()
const KEY = randomUUID()
const NOW = '2026-03-01T12:00:00.000Z'
const LABEL = 'team-a'

let views: Parameters<typeof heldAccounts>[0]
let family: KeyFamily
beforeEach(() => {
  family = { familyId: KEY, companyId: COMPANY, keyIds: [KEY], budget: null }
  views = {
    budgets: new BudgetView(),
    spend: spendingViews(),
    ...{ companies: new CompanyView(), ledgerSeen: () => ({ balanceMicros: 7n, position: BEGINNING }) },
  }
})

const call = (changes: object = {}) => ({
  ...{ companyId: COMPANY, family, projectId: PROJECT, label: LABEL, labelFixed: true, ...changes },
})
const set = (account: string, micros: number, period: BudgetPeriod = 'DAY') =>
  views.budgets.seed([{ account, budget: { amountMicros: String(micros), period } }])
const setOfKey = (micros: number, period: BudgetPeriod = 'DAY') => {
  family = { ...family, budget: { amountMicros: BigInt(micros), period } }
}
const spend = (micros: number, changes: object = {}) => {
  const of = {
    keyId: KEY,
    projectId: PROJECT,
    label: LABEL,
    labelFixed: true,
    amountMicros: String(micros),
    admittedAt: NOW,
  }
  for (const event of history(streamName('ledger', COMPANY), charged(COMPANY, { ...of, ...changes }))) {
    views.spend.keys.apply(event)
    views.spend.accounts.apply(event)
  }
}
const refusalOf = (changes: object = {}, now = NOW) => budgetRefusal(views, call(changes), now)

test('without a budget nothing is refused, whatever was spent', () => {
  spend(1_000_000)
  expect(refusalOf()).toBeNull()
  expect(heldAccounts(views, call(), NOW).map(({ name }) => name)).toEqual([COMPANY])
})

test.each([
  ['company', () => set(COMPANY, 100)],
  ['project', () => set(projectAccount(PROJECT), 100)],
  ['key', () => setOfKey(100)],
  ['label', () => set(labelAccount(COMPANY, LABEL), 100)],
])('a used-up budget of the %s refuses the call, and the answer names the level', (level, setBudget) => {
  setBudget()
  spend(99)
  expect(refusalOf()).toBeNull()
  spend(1)
  const refusal = refusalOf()
  expect(refusal?.code).toBe(`${level.toUpperCase()}_BUDGET_EXCEEDED`)
  expect(refusal?.headers['x-budget-refused']).toBe(level)
  expect(refusal?.message).toMatch(/^The budget of .*0\.0001 credits for a day in UTC, is used up\.$/)
  expect(refusalOf({}, '2026-03-02T00:00:00.000Z')).toBeNull()
})

test('the widest budget that is used up is named', () => {
  set(projectAccount(PROJECT), 50)
  setOfKey(50)
  set(labelAccount(COMPANY, LABEL), 50)
  spend(60)
  expect(refusalOf()?.headers['x-budget-refused']).toBe('project')
  expect(refusalOf({ projectId: null })?.headers['x-budget-refused']).toBe('key')
})

test('a budget of a label binds only keys whose label is fixed, and only their calls count', () => {
  set(labelAccount(COMPANY, LABEL), 50)
  spend(60, { labelFixed: false })
  expect(refusalOf()).toBeNull()
  spend(60)
  expect(refusalOf()?.headers['x-budget-refused']).toBe('label')
  expect(refusalOf({ labelFixed: false })).toBeNull()
  expect(refusalOf({ companyId: randomUUID(), projectId: null })).toBeNull()
})

test('a call is held against what is left of each budget that binds it, in its period', () => {
  set(COMPANY, 1_000, 'TOTAL')
  set(projectAccount(PROJECT), 500, 'MONTH')
  setOfKey(100)
  set(labelAccount(COMPANY, LABEL), 300)
  spend(40)
  const [balance, ...budgets] = heldAccounts(views, call(), NOW)
  expect([balance?.name, balance?.leftMicros()]).toEqual([COMPANY, 7n])
  expect(budgets.map(({ name }) => name)).toEqual([
    `company-budget:${COMPANY}:total`,
    `project-budget:${PROJECT}:2026-03`,
    `key-budget:${KEY}:2026-03-01`,
    `label-budget:${COMPANY}:${LABEL}:2026-03-01`,
  ])
  expect(budgets.map((budget) => budget.leftMicros())).toEqual([960n, 460n, 60n, 260n])
  // A budget that got another period, or was removed, no longer limits calls that are held against the former one.
  Object.assign(family, { budget: { amountMicros: 100n, period: 'MONTH' } })
  views.budgets.seed([{ account: COMPANY, budget: null }])
  for (const n of [0, 2]) expect(budgets[n]?.leftMicros()).toBeGreaterThan(1_000_000n)
})
