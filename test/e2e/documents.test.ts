import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DOCUMENT_BYTES_MAX } from '../../contracts/limits.ts'
import { streamName } from '../../contracts/streams.ts'
import { collect } from '../support/events/events.ts'
import { call } from '../support/harness/gatewayClient.ts'
import { INTERNAL_TOKEN } from '../support/harness/gatewayHarness.ts'
import { startWorkersHarness, type WorkersHarness } from '../support/harness/workersHarness.ts'
import { whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

const fixture = (path: string) => ({
  name: path.split('/').at(-1) ?? '',
  bytes: readFileSync(new URL(`../fixtures/${path}`, import.meta.url)),
})

let harness: WorkersHarness
beforeAll(async () => {
  harness = await startWorkersHarness({ attemptsMax: 3, retryMs: { first: 1_000, longest: 1_000 } })
})
afterAll(() => harness.close())
beforeEach(() => harness.models.always(harness.bySandbox))

const talents = async () =>
  (await harness.ask('{ talents { id name location yearsOfExperience skills languages } }', {}, harness.admin.token))
    .data.talents
const filesLeft = async () =>
  (await harness.runtime.engines.database.query('select 1 from platform.document_files')).length

describe('a CV', () => {
  test.each(['cvs/known/castellan.txt', 'cvs/known/whitcombe.pdf'])('becomes a talent: %s', async (path) => {
    const { name } = JSON.parse(
      readFileSync(new URL(`../fixtures/${path.replace(/\.\w+$/, '.expected.json')}`, import.meta.url), 'utf8'),
    )
    const { document } = await harness.upload('uploadCv', fixture(path))
    expect(document).toMatchObject({ kind: 'CV', status: 'UPLOADED', filename: path.split('/').at(-1) })
    const settled = await harness.settled(document.id)
    expect(settled).toMatchObject({ status: 'PROCESSED', error: null, jobId: null })
    const talent = (await talents()).find(({ id }: { id: string }) => id === settled.talentId)
    expect(talent).toMatchObject({ name })
    expect(talent.skills.length).toBeGreaterThan(2)
    expect(await filesLeft()).toBe(0)
  })

  test('gives the years of experience, the languages and the location', async () => {
    const talent = (await talents()).find(({ name }: { name: string }) => name === 'Linnea Castellan')
    expect(talent).toMatchObject({ location: 'Gothenburg, Sweden' })
    expect(talent.yearsOfExperience).toBeGreaterThan(10)
    expect(talent.languages.length).toBeGreaterThan(0)
  })

  test('leaves no text, name or file name in clear in the store', async () => {
    const { store } = harness.runtime.engines
    const all = JSON.stringify(await store.readAll({ after: '' as never, limit: 1_000 }))
    expect(all).toContain('DocumentProcessed')
    for (const text of ['Castellan', 'castellan.txt', 'Skagen Construction']) expect(all).not.toContain(text)
  })

  test('is not charged to its company, and is counted in the operations', async () => {
    expect((await harness.ledgerOf(harness.companyId)).map(({ type }) => type)).toEqual(['CreditsGranted'])
    const { json } = await call(harness.url, '/monitoring/operations', { key: INTERNAL_TOKEN })
    const done = json.operations.find(({ kind }: { kind: string }) => kind === 'cv_profile')
    expect(done.counts.succeeded).toBeGreaterThanOrEqual(2)
  })

  test('is erased with its talent', async () => {
    const { admin, ask } = harness
    const { document } = await harness.upload('uploadCv', fixture('cvs/known/nwosu.txt'))
    const { talentId } = await harness.settled(document.id)
    expect((await ask(`mutation { eraseTalent(id: "${talentId}") }`, {}, admin.token)).data.eraseTalent).toBe(true)
    const erased = (await harness.documents()).find(({ id }: { id: string }) => id === document.id)
    expect(erased.filename).toBe('[erased]')
  })

  test('fails if it is erased before it is read, and its file is deleted', async () => {
    harness.models.always(whole({}, { status: 503 }))
    const { document } = await harness.upload('uploadCv', fixture('cvs/known/kervadec.txt'))
    const [first] = await collect(harness.runtime.engines.store.readStream(streamName('document', document.id)))
    await harness.runtime.engines.personal.erase(`talent-${first?.data.talentId}`)
    await until('the file is gone', async () => (await filesLeft()) === 0)
    const settled = await harness.settled(document.id, () => harness.clock.advance(1_000))
    expect(settled).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/erased/) })
  })
})

describe('a job document', () => {
  test('becomes a draft that can be published', async () => {
    const { ask, admin } = harness
    const { document } = await harness.upload('uploadJobDocument', fixture('jobs/known/bluefin.txt'))
    expect(document.kind).toBe('JOB_DOCUMENT')
    const { jobId, talentId } = await harness.settled(document.id)
    expect(talentId).toBeNull()
    const expected = JSON.parse(
      readFileSync(new URL('../fixtures/jobs/known/bluefin.expected.json', import.meta.url), 'utf8'),
    )
    const { jobs } = (await ask('{ jobs { id title status requirements metadata } }', {}, admin.token)).data
    expect(jobs).toEqual([expect.objectContaining({ id: jobId, title: expected.title, status: 'DRAFT' })])
    expect(jobs[0].requirements.length).toBeGreaterThan(0)
    expect(jobs[0].metadata.document_id).toBe(document.id)
    const published = await ask(`mutation { publishJob(id: "${jobId}") { status } }`, {}, admin.token)
    expect(published.data.publishJob.status).toBe('ACTIVE')
  })
})

describe('a file', () => {
  test('without text fails with the reason', async () => {
    const { document } = await harness.upload('uploadCv', fixture('cvs/known/locked.pdf'))
    expect(await harness.settled(document.id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(/password|locked|encrypted/i),
      talentId: null,
    })
    expect(await filesLeft()).toBe(0)
  })

  test('without a name is not accepted as a CV', async () => {
    const { document } = await harness.upload('uploadCv', { name: 'note.txt', bytes: Buffer.from('12 34\n') })
    expect(await harness.settled(document.id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(/does not look like a CV/),
    })
  })

  test.each([
    ['of an unsupported kind', { name: 'cv.exe', bytes: Buffer.from('MZ') }],
    ['that is empty', { name: 'cv.txt', bytes: Buffer.alloc(0) }],
    ['whose content does not match its extension', { name: 'cv.pdf', bytes: Buffer.from('plain') }],
  ])('%s is refused at once', async (_, file) => {
    const { code, document } = await harness.upload('uploadCv', file)
    expect([code, document ?? null]).toEqual(['BAD_USER_INPUT', null])
  })

  test('one byte above the limit is refused, and nothing is stored', async () => {
    const before = await harness.documents()
    const file = { name: 'cv.txt', bytes: Buffer.alloc(DOCUMENT_BYTES_MAX + 1, 'x') }
    expect(await harness.upload('uploadCv', file)).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(await harness.documents()).toEqual(before)
    expect(await filesLeft()).toBe(0)
  })

  test('of another company is not visible', async () => {
    const other = await harness.register('admin@other.example', await harness.registerCompany())
    expect(await harness.documents(other.token)).toEqual([])
  })
})

test('a CV is retried while the provider is down, then parked; after a requeue it is read', async () => {
  const { ask, superAdmin, models, clock } = harness
  models.always(whole({ error: { message: 'no' } }, { status: 503 }))
  const { document } = await harness.upload('uploadCv', fixture('cvs/known/strathairn.txt'))
  const parkedTasks = async () =>
    (
      await ask(
        '{ parkedTasks(worker: "cv_worker") { id worker subject attempts error status } }',
        {},
        superAdmin.token,
      )
    ).data.parkedTasks
  const parked = await until('it is parked', async () => {
    clock.advance(1_000)
    return (await parkedTasks())[0]
  })
  expect(parked).toMatchObject({
    worker: 'cv_worker',
    subject: `CV ${document.id}`,
    attempts: 3,
    status: 'PARKED',
    error: expect.stringMatching(/503/),
  })
  expect((await ask('{ parkedTasks(worker: "email_worker") { id } }', {}, superAdmin.token)).data.parkedTasks).toEqual(
    [],
  )
  expect((await harness.documents()).find(({ id }: { id: string }) => id === document.id).status).toBe('UPLOADED')

  models.always(harness.bySandbox)
  const requeue = `mutation { requeueParkedTask(id: "${parked.id}") { id status } }`
  expect((await ask(requeue, {}, superAdmin.token)).data.requeueParkedTask).toEqual({
    id: parked.id,
    status: 'REQUEUED',
  })
  const settled = await harness.settled(document.id, () => clock.advance(1_000))
  expect(settled.status).toBe('PROCESSED')
  await until('it is no longer listed', async () => (await parkedTasks()).length === 0)
  expect((await ask(requeue, {}, superAdmin.token)).code).toBe('BAD_USER_INPUT')
})
