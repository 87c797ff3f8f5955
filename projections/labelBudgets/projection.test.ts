import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { registered } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { BUDGET, labelBudgetSet } from '../../test/support/events/projectEvents.ts'
import { applyEvents } from '../projection.ts'
import { labelBudgets } from './projection.ts'
import { allLabelBudgets, labelBudgetsOf } from './queries.ts'

const companyId = randomUUID()
const events = [
  registered(companyId),
  labelBudgetSet(companyId, 'team-b'),
  labelBudgetSet(companyId, 'team-a', { ...BUDGET, period: 'DAY' }),
  labelBudgetSet(companyId, 'gone'),
  labelBudgetSet(companyId, 'gone', null),
]

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  await models.append(streamName('company', companyId), ...events)
  const other = randomUUID()
  await models.append(streamName('company', other), labelBudgetSet(other, 'team-a'))
  await models.rebuild(labelBudgets)
})
afterAll(() => models.close())

test('a label has a row with its last budget, and keeps it without one once the budget is removed', () => {
  const rows = [...applyEvents(labelBudgets, history(streamName('company', companyId), ...events)).values()]
  expect(rows).toEqual([
    { companyId, label: 'team-b', budgetMicros: '5000000', budgetPeriod: 'MONTH' },
    { companyId, label: 'team-a', budgetMicros: '5000000', budgetPeriod: 'DAY' },
    { companyId, label: 'gone', budgetMicros: null, budgetPeriod: null },
  ])
})

test('the budgets of a company are listed by label, without removed ones', async () => {
  const rows = await labelBudgetsOf(models.database, companyId)
  expect(rows.map(({ label, budgetPeriod }) => [label, budgetPeriod])).toEqual([
    ['team-a', 'DAY'],
    ['team-b', 'MONTH'],
  ])
  expect(await allLabelBudgets(models.database)).toHaveLength(3)
})
