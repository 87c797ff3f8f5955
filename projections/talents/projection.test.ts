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
      talentId,
      companyId,
      name: 'Ada',
      location: 'Zürich',
      seniority: null,
      yearsOfExperience: 12.5,
      skills: ['MIG'],
      languages: ['de'],
      registeredAt: AT,
      erasedAt: null,
    },
  ])
})

test('the row of an erased talent keeps only the fact of the erasure', () => {
  expect(rowsAfter(talentRegistered(talentId, companyId), talentErased(talentId, companyId))).toEqual([
    {
      talentId,
      companyId,
      name: null,
      location: null,
      seniority: null,
      yearsOfExperience: null,
      skills: [],
      languages: [],
      registeredAt: AT,
      erasedAt: AT,
    },
  ])
})

test('a talent who was never registered cannot be erased', () => {
  expect(() => rowsAfter(talentErased(talentId, companyId))).toThrow(/never registered/)
})
