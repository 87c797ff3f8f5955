import { test } from 'vitest'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { type TalentCommand, talentDecider } from './decider.ts'

const given = specificationOf(talentDecider)

const ids = { talentId: '99999999-9999-4999-8999-999999999999', companyId: '11111111-1111-4111-8111-111111111111' }
const at = '2026-03-01T10:00:00.000Z'
const details = { name: 'Grace Hopper', location: 'Bern', seniority: 'senior', yearsOfExperience: 12.5 }
type Changes = Partial<Extract<TalentCommand, { type: 'RegisterTalent' }>>
const register = (changes: Changes = {}): TalentCommand => ({
  type: 'RegisterTalent',
  ...ids,
  ...details,
  skills: ['COBOL'],
  languages: ['English'],
  at,
  ...changes,
})
const registered = () => ({
  type: 'TalentRegistered' as const,
  data: { ...ids, ...details, skills: ['COBOL'], languages: ['English'], registeredAt: at },
})

test('a talent is registered as described, without blanks around the texts', () => {
  given()
    .when(register({ name: ' Grace Hopper', skills: ['COBOL '], languages: [' English'] }))
    .then(registered())
})

test('a talent needs a name and nothing else', () => {
  const bare = { location: null, seniority: null, yearsOfExperience: null, skills: [], languages: [] }
  given()
    .when(register(bare))
    .then({ type: 'TalentRegistered', data: { ...ids, name: 'Grace Hopper', ...bare, registeredAt: at } })
})

test('an existing id is refused', () => {
  given(registered()).when(register()).thenThrows('CONFLICT')
})

test.each<[string, Changes, RegExp]>([
  ['no name', { name: '' }, /name of a talent/],
  ['an empty skill', { skills: ['COBOL', ''] }, /a skill must not be empty/],
  ['an endless language', { languages: ['x'.repeat(NAME_CHARS_MAX + 1)] }, /a language/],
  ['a location on two lines', { location: 'Bern\nBasel' }, /location of a talent/],
  ['years of experience still to come', { yearsOfExperience: -1 }, /yearsOfExperience/],
  ['years of experience that are no number', { yearsOfExperience: Number.NaN }, /yearsOfExperience/],
])('a talent with %s is refused', (_, changes, message) => {
  given().when(register(changes)).thenThrows('INVALID', message)
})

const erased = { type: 'TalentErased' as const, data: { ...ids, erasedAt: at } }
const erase = (companyId = ids.companyId): TalentCommand => ({ ...ids, type: 'EraseTalent', companyId, at })

test('a talent is erased once, and is never registered again', () => {
  given(registered()).when(erase()).then(erased)
  given(registered(), erased).when(erase()).thenNothing()
  given(registered(), erased).when(register()).thenThrows('CONFLICT')
})

test('erasing an unknown talent or the talent of another company is refused with NOT_FOUND', () => {
  given().when(erase()).thenThrows('NOT_FOUND')
  given(registered()).when(erase('22222222-2222-4222-8222-222222222222')).thenThrows('NOT_FOUND')
})
