import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TalentEvent } from '../../contracts/events/talent.ts'
import { streamName } from '../../contracts/streams.ts'
import { talentErased, talentRegistered } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { talents } from './projection.ts'

const talentId = randomUUID()
const companyId = randomUUID()
const rowsAfter = (...events: TalentEvent[]) => [
  ...applyEvents(talents, history(streamName('talent', talentId), ...events)).values(),
]

test('a talent has a row as registered', () => {
  expect(rowsAfter(talentRegistered(talentId, companyId))).toEqual([
    {
      talent_id: talentId,
      company_id: companyId,
      name: 'Ada',
      location: 'Zürich',
      seniority: null,
      years_of_experience: 12.5,
      skills: ['MIG'],
      languages: ['de'],
      registered_at: AT,
      erased_at: null,
    },
  ])
})

test('the row of an erased talent keeps only the fact of the erasure', () => {
  expect(rowsAfter(talentRegistered(talentId, companyId), talentErased(talentId, companyId))).toEqual([
    {
      talent_id: talentId,
      company_id: companyId,
      name: null,
      location: null,
      seniority: null,
      years_of_experience: null,
      skills: [],
      languages: [],
      registered_at: AT,
      erased_at: AT,
    },
  ])
})

test('a talent who was never registered cannot be erased', () => {
  expect(() => rowsAfter(talentErased(talentId, companyId))).toThrow(/never registered/)
})
