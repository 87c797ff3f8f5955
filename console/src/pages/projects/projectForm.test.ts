import { expect, test } from 'vitest'
import { changesOf, NEW_PROJECT } from './projectForm.ts'

const BEFORE = { ...NEW_PROJECT, name: 'Search', members: ['a', 'b'], limits: { ...NEW_PROJECT.limits, rpm: '600' } }

test('a change sends what was changed and nothing else', () => {
  expect(changesOf(BEFORE, { ...BEFORE, name: ' Search ', members: ['b', 'a'] })).toEqual({})
  expect(changesOf(BEFORE, { ...BEFORE, name: 'Other' })).toEqual({ name: 'Other' })
  expect(changesOf(BEFORE, { ...BEFORE, members: ['a'] })).toEqual({ members: ['a'] })
})

test('limits are sent as a whole, because one that is left out does not hold', () => {
  const limits = { ...BEFORE.limits, tpm: '1000' }
  expect(changesOf(BEFORE, { ...BEFORE, limits })).toEqual({ limits: { rpm: 600, tpm: 1000, callsInFlight: null } })
})
