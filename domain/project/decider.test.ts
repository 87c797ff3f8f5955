import { describe, test } from 'vitest'
import type { CallLimits } from '../../contracts/events/callLimits.ts'
import type { ProjectEvent } from '../../contracts/events/project.ts'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { NO_LIMITS } from '../callLimits.ts'
import { PROJECT_MEMBERS_MAX, type ProjectCommand, type ProjectSettings, projectDecider } from './decider.ts'

const given = specificationOf(projectDecider)

const projectId = '33333333-3333-4333-8333-333333333333'
const companyId = '11111111-1111-4111-8111-111111111111'
const by = '22222222-2222-4222-8222-222222222222'
const [ada, bob] = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002']
const at = '2026-03-01T10:00:00.000Z'
const SETTINGS: ProjectSettings = { name: 'Search', memberIds: [ada, bob], limits: NO_LIMITS }
const BUDGET = { amountMicros: 5_000_000n, period: 'MONTH' } as const

const create = (changes: Partial<ProjectSettings> = {}): ProjectCommand => ({
  ...{ type: 'CreateProject', projectId, companyId, ...SETTINGS, ...changes },
  ...{ by, at },
})
const created = (changes: Partial<ProjectSettings> = {}): ProjectEvent => {
  const { name, memberIds, limits } = { ...SETTINGS, ...changes }
  const data = { projectId, companyId, name, memberIds: [...memberIds], limits, createdBy: by, createdAt: at }
  return { type: 'ProjectCreated', data }
}
type Changes = Extract<ProjectCommand, { type: 'UpdateProject' }>['changes']
const update = (changes: Changes): ProjectCommand => ({ type: 'UpdateProject', projectId, changes, by, at })
const updated = (changes: object): ProjectEvent => ({
  type: 'ProjectUpdated',
  data: { projectId, ...changes, updatedBy: by, updatedAt: at },
})
const setBudget = (budget: typeof BUDGET | null): ProjectCommand => ({
  ...{ type: 'SetProjectBudget', projectId },
  ...{ budget, by, at },
})
const budgetSet: ProjectEvent = {
  type: 'ProjectBudgetSet',
  data: { projectId, budget: { amountMicros: '5000000', period: 'MONTH' }, setBy: by, setAt: at },
}
const budgetRemoved: ProjectEvent = { type: 'ProjectBudgetSet', data: { ...budgetSet.data, budget: null } }
const archived = updated({ archived: true })

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => `bbbbbbbb-0000-4000-8000-${String(n).padStart(12, '0')}`)

const INVALID: readonly [string, Partial<ProjectSettings>, RegExp][] = [
  ['no name', { name: ' ' }, /name of a project/],
  ['a name that is too long', { name: 'x'.repeat(NAME_CHARS_MAX + 1) }, /name of a project/],
  ['too many members', { memberIds: people(PROJECT_MEMBERS_MAX + 1) }, /at most 200 members, not 201/],
  ['no requests a minute', { limits: { ...NO_LIMITS, rpm: 0 } }, /^rpm/],
  ['half a token a minute', { limits: { ...NO_LIMITS, tpm: 0.5 } }, /^tpm/],
  ['no call at a time', { limits: { ...NO_LIMITS, callsInFlight: -1 } }, /^callsInFlight/],
]

describe('creating a project', () => {
  test('keeps the settings, and each member once', () => {
    const limits: CallLimits = { rpm: 600, tpm: null, callsInFlight: 8 }
    given()
      .when(create({ name: ' Search ', memberIds: [ada, ada], limits }))
      .then(created({ memberIds: [ada], limits }))
    given()
      .when(create({ memberIds: people(PROJECT_MEMBERS_MAX) }))
      .then(created({ memberIds: people(PROJECT_MEMBERS_MAX) }))
  })

  test('is refused for an existing id', () => {
    given(created()).when(create()).thenThrows('CONFLICT')
  })

  test.each(INVALID)('is refused with %s', (_, changes, message) => {
    given().when(create(changes)).thenThrows('INVALID', message)
  })
})

describe('changing a project', () => {
  test('records only what differs', () => {
    given(created())
      .when(update({ name: 'Find', memberIds: [bob, ada], limits: { ...NO_LIMITS, rpm: 5 } }))
      .then(updated({ name: 'Find', limits: { ...NO_LIMITS, rpm: 5 } }))
    given(created(), updated({ memberIds: [ada] }))
      .when(update({ memberIds: [bob] }))
      .then(updated({ memberIds: [bob] }))
  })

  test('to its present settings changes nothing', () => {
    given(created())
      .when(update({ ...SETTINGS, archived: false }))
      .thenNothing()
    given(created(), updated({ name: 'Find' }))
      .when(update({ name: 'Find' }))
      .thenNothing()
  })

  test.each(INVALID)('to %s is refused', (_, changes, message) => {
    given(created()).when(update(changes)).thenThrows('INVALID', message)
  })

  test('that is unknown is refused with NOT_FOUND', () => {
    given().when(update({})).thenThrows('NOT_FOUND')
  })
})

describe('an archived project', () => {
  test('is archived once', () => {
    given(created())
      .when(update({ archived: true }))
      .then(archived)
    given(created(), archived)
      .when(update({ archived: true }))
      .thenNothing()
  })

  test('is refused every change but the one that takes it out of the archive', () => {
    given(created(), archived)
      .when(update({ name: 'Find' }))
      .thenThrows('CONFLICT', /is archived/)
    given(created(), archived)
      .when(setBudget(BUDGET))
      .thenThrows('CONFLICT', /is archived/)
    given(created(), archived)
      .when(update({ archived: false, name: 'Find' }))
      .then(updated({ name: 'Find', archived: false }))
    given(created(), archived, updated({ archived: false }))
      .when(update({ name: 'Find' }))
      .then(updated({ name: 'Find' }))
  })
})

describe('the budget of a project', () => {
  test('is set, replaced and removed, each once', () => {
    given(created()).when(setBudget(BUDGET)).then(budgetSet)
    given(created(), budgetSet).when(setBudget(BUDGET)).thenNothing()
    given(created(), budgetSet).when(setBudget(null)).then(budgetRemoved)
    given(created()).when(setBudget(null)).thenNothing()
    given(created(), budgetSet, budgetRemoved).when(setBudget(BUDGET)).then(budgetSet)
  })

  test('must be more than nothing, and needs a project', () => {
    const nothing = { type: 'SetProjectBudget', projectId, budget: { ...BUDGET, amountMicros: 0n }, by, at } as const
    given(created()).when(nothing).thenThrows('INVALID')
    given().when(setBudget(BUDGET)).thenThrows('NOT_FOUND')
  })
})
