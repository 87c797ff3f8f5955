import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GeneratorEvent } from '../../../contracts/events/generator.ts'
import { newEvent } from '../../../platform/eventStore/eventCodec.ts'
import { hiring } from '../../../test/support/harness/aiHarness.ts'
import { type BackendHarness, startBackendHarness } from '../../../test/support/harness/backendHarness.ts'
import { until } from '../../../test/support/time/until.ts'

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness()
})
afterAll(() => backend.close())

const QUERY =
  'query ($jobId: ID!) { matchScores(jobId: $jobId) { jobId talentId score explanation computedAt parts { skills experience location language seniority } } }'
const AT = '2026-03-01T10:00:00.000Z'
const parts = { skills: 100, experience: 90, location: 20, language: 100, seniority: 60 }

test("matchScores lists a job's scores, best first, without erased talents, and is NOT_FOUND for another company", async () => {
  const { companyId, admin, ask, runtime } = backend
  const { postJob, registerTalent } = hiring(runtime)
  const jobId = await postJob(companyId)
  const talents = [await registerTalent(companyId), await registerTalent(companyId), await registerTalent(companyId)]
  const batch: GeneratorEvent = {
    type: 'BatchCompleted',
    data: {
      name: 'match-scores',
      batch: 1,
      jobs: [{ jobId, companyId, version: 'v' }],
      talents: talents.map((talentId) => ({ talentId, version: 'v' })),
      scores: [40, 90, 70].map((score, talent) => ({
        job: 0,
        talent,
        score,
        parts,
        adjustment: null,
        explanation: `Worth ${score}.`,
      })),
      failed: 0,
      completedAt: AT,
    },
  }
  const cause = {
    correlationId: randomUUID(),
    causationId: randomUUID(),
    actor: { kind: 'system', name: 'test' },
  } as const
  await runtime.engines.store.append('generator-match-scores', 'none', [newEvent(randomUUID(), batch, cause)])
  const scores = async () => (await ask(QUERY, { jobId }, admin.token)).data?.matchScores
  await until('they are shown', async () => (await scores())?.length === 3)
  expect(await scores()).toEqual([
    { jobId, talentId: talents[1], score: 90, explanation: 'Worth 90.', computedAt: AT, parts },
    expect.objectContaining({ talentId: talents[2], score: 70 }),
    expect.objectContaining({ talentId: talents[0], score: 40 }),
  ])
  await ask('mutation ($id: ID!) { eraseTalent(id: $id) }', { id: talents[1] }, admin.token)
  expect((await scores()).map(({ talentId }: { talentId: string }) => talentId)).toEqual([talents[2], talents[0]])

  const stranger = await backend.register('admin@second.example', await backend.registerCompany())
  expect((await ask(QUERY, { jobId }, stranger.token)).code).toBe('NOT_FOUND')
  expect((await ask(QUERY, { jobId: randomUUID() }, admin.token)).code).toBe('NOT_FOUND')
  expect((await ask(QUERY, { jobId: 'nonsense' }, admin.token)).code).toBe('NOT_FOUND')
  expect((await ask(QUERY, { jobId })).code).toBe('UNAUTHENTICATED')
})
