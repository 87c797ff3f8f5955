import { test } from 'vitest'
import { LIMITS } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/deciderSpecification.ts'
import { type JobCommand, jobDecider } from './decider.ts'

const given = specificationOf(jobDecider)

const ids = { jobId: '88888888-8888-4888-8888-888888888888', companyId: '11111111-1111-4111-8111-111111111111' }
const at = '2026-03-01T10:00:00.000Z'
const details = { location: 'Basel', employmentType: 'full-time', seniority: 'senior', metadata: { team: { size: 4 } } }
const post = (changes: Partial<JobCommand> = {}): JobCommand => ({
  type: 'PostJob',
  ...ids,
  title: 'Welder',
  requirements: ['MIG', 'TIG'],
  ...details,
  at,
  ...changes,
})
const posted = {
  type: 'JobPosted',
  data: { ...ids, title: 'Welder', requirements: ['MIG', 'TIG'], ...details, postedAt: at },
} as const

test('a job is posted as it was described, without blanks around its texts', () => {
  given()
    .when(post({ title: ' Welder ', requirements: [' MIG', 'TIG '], location: 'Basel ' }))
    .then({ ...posted, data: { ...posted.data, requirements: ['MIG', 'TIG'] } })
})

test('a job needs a title and nothing else', () => {
  const bare = { location: null, employmentType: null, seniority: null, requirements: [], metadata: {} }
  given()
    .when(post(bare))
    .then({ type: 'JobPosted', data: { ...ids, title: 'Welder', ...bare, postedAt: at } })
})

test('an id that is taken is refused', () => {
  given({ ...posted, data: { ...posted.data, requirements: [] } })
    .when(post())
    .thenThrows('CONFLICT')
})

test.each<[string, Partial<JobCommand>, RegExp]>([
  ['no title', { title: '' }, /title of a job/],
  ['an empty requirement', { requirements: ['MIG', ' '] }, /a requirement must not be empty/],
  ['an endless requirement', { requirements: ['x'.repeat(LIMITS.requirementCharsMax + 1)] }, /a requirement/],
  ['an endless location', { location: 'x'.repeat(LIMITS.nameCharsMax + 1) }, /location of a job/],
  ['a NUL in its employment type', { employmentType: 'a\u0000' }, /employment type of a job/],
  ['half a character in its seniority', { seniority: '\udc00' }, /seniority of a job/],
])('a job with %s is refused', (_, changes, message) => {
  given().when(post(changes)).thenThrows('INVALID', message)
})
