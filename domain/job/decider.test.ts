import { test } from 'vitest'
import { NAME_CHARS_MAX } from '../../contracts/limits.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { type JobCommand, jobDecider, REQUIREMENT_CHARS_MAX } from './decider.ts'

const given = specificationOf(jobDecider)

const ids = { jobId: '88888888-8888-4888-8888-888888888888', companyId: '11111111-1111-4111-8111-111111111111' }
const at = '2026-03-01T10:00:00.000Z'
const details = { location: 'Basel', employmentType: 'full-time', seniority: 'senior', metadata: { team: { size: 4 } } }
type PostJob = Extract<JobCommand, { type: 'PostJob' }>
const post = (changes: Partial<PostJob> = {}): PostJob => ({
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

test('a job is posted as described, without blanks around its texts', () => {
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

test('an existing id is refused', () => {
  given({ ...posted, data: { ...posted.data, requirements: [] } })
    .when(post())
    .thenThrows('CONFLICT')
})

test.each<[string, Partial<PostJob>, RegExp]>([
  ['no title', { title: '' }, /title of a job/],
  ['an empty requirement', { requirements: ['MIG', ' '] }, /a requirement must not be empty/],
  ['an endless requirement', { requirements: ['x'.repeat(REQUIREMENT_CHARS_MAX + 1)] }, /a requirement/],
  ['an endless location', { location: 'x'.repeat(NAME_CHARS_MAX + 1) }, /location of a job/],
  ['a NUL in its employment type', { employmentType: 'a\u0000' }, /employment type of a job/],
  ['half a character in its seniority', { seniority: '\udc00' }, /seniority of a job/],
])('a job with %s is refused', (_, changes, message) => {
  given().when(post(changes)).thenThrows('INVALID', message)
})

const publish: JobCommand = { type: 'PublishJob', ...ids, at }
const close: JobCommand = { type: 'CloseJob', ...ids, at }
const published = { type: 'JobPublished', data: { ...ids, publishedAt: at } } as const
const closed = { type: 'JobClosed', data: { ...ids, closedAt: at } } as const
const draft = { ...posted, data: { ...posted.data, requirements: [] } }

test('a draft is published and an active job is closed; repeating it changes nothing', () => {
  given(draft).when(publish).then(published)
  given(draft, published).when(publish).then()
  given(draft, published).when(close).then(closed)
  given(draft, published, closed).when(close).then()
})

test('a draft can be closed without being published, and a closed job stays closed', () => {
  given(draft).when(close).then(closed)
  given(draft, closed)
    .when(publish)
    .thenThrows('CONFLICT', /stays so/)
})

test.each([publish, close])('$type: an unknown job and the job of another company get the same refusal', (command) => {
  const other = { ...command, companyId: '22222222-2222-4222-8222-222222222222' } as JobCommand
  given()
    .when(command)
    .thenThrows('NOT_FOUND', /no job/)
  given(draft)
    .when(other)
    .thenThrows('NOT_FOUND', /no job/)
})
