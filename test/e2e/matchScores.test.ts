import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scoresOfJob } from '../../projections/matchScores/queries.ts'
import { startAi } from '../../services/ai/ai.ts'
import { newEvent } from '../../services/platform/commands/eventCodec.ts'
import { AI_TOKEN, type AiHarness, providersOf, startAiHarness } from '../support/aiHarness.ts'
import { collect } from '../support/events.ts'
import { call } from '../support/gatewayClient.ts'
import { isEmbedding, isJudgement, modelScript } from '../support/modelScripts.ts'
import { whole } from '../support/scriptedProvider.ts'
import { until } from '../support/until.ts'

const BASE = '/api/v1/background-tasks/match-score-generator'

let ai: AiHarness
let companyId: string
beforeEach(async () => {
  ai = await startAiHarness({ env: { BREAKER_COOLDOWN_MS: '200' } })
  companyId = randomUUID()
})
afterEach(() => ai.close())

const eventsOf = () => collect(ai.engines.store.readStream('generator-match-scores'))
const scoresOf = (jobId: string) => scoresOfJob(ai.engines.database, companyId, jobId, 100)
const completed = async () => (await eventsOf()).filter((event) => event.type === 'BatchCompleted')
const scoredPairs = async () =>
  (await completed()).flatMap(({ data }) =>
    data.scores.map(({ job, talent }) => `${data.jobs[job]?.jobId} ${data.talents[talent]?.talentId}`),
  )
const status = async () => (await ai.get(`${BASE}/status`)).json
const metrics = async () => (await ai.get(`${BASE}/metrics`)).json

test('scores every pair of a company, with parts and a sentence, and shows what it has done', async () => {
  const job = await ai.postJob(companyId, {
    location: 'Berlin',
    seniority: 'senior',
    requirements: ['TypeScript', 'PostgreSQL'],
  })
  const good = { location: 'Berlin', seniority: 'senior', yearsOfExperience: 9, skills: ['typescript', 'postgres'] }
  const first = await ai.registerTalent(companyId, good)
  const second = await ai.registerTalent(companyId, { location: 'Lima', seniority: 'junior', skills: ['cooking'] })
  const elsewhere = await ai.registerTalent(randomUUID(), good)
  await ai.isShown()
  expect(await status()).toEqual({ status: 'stopped', uptime_seconds: 0, current_batch: 0, queue_size: 0 })
  expect((await ai.post(`${BASE}/start`)).json).toMatchObject({ status: expect.stringMatching(/running|processing/) })
  const scores = await until('both are scored', async () => {
    const rows = await scoresOf(job)
    return rows.length === 2 && rows
  })
  expect(scores).toMatchObject([
    { talent_id: first, score: 100, adjustment: null, parts: { skills: 100, location: 100 } },
    { talent_id: second, explanation: expect.stringMatching(/^Meets 0 of 2 requirements, missing TypeScript/) },
  ])
  expect(scores.map((score) => score.talent_id)).not.toContain(elsewhere)
  expect(await until('it rests', async () => ((await status()).status === 'running' ? status() : null))).toEqual({
    status: 'running',
    uptime_seconds: expect.any(Number),
    current_batch: 1,
    queue_size: 0,
  })
  expect(await metrics()).toEqual({
    total_processed: 2,
    total_errors: 0,
    avg_processing_time_ms: expect.any(Number),
    queue_depth: 0,
    throughput_per_minute: 2,
    last_processed_at: expect.stringMatching(/^\d{4}-.*Z$/),
    processing_rate: expect.any(Number),
    error_rate: 0,
    circuit_breaker_state: 'CLOSED',
  })
})

test('starting twice and stopping twice answers 200 with the state, and changes nothing the second time', async () => {
  expect((await ai.post(`${BASE}/stop`)).json.status).toBe('stopped')
  expect((await ai.post(`${BASE}/start`)).status).toBe(200)
  expect((await ai.post(`${BASE}/start`)).json.status).toMatch(/running|processing/)
  expect((await ai.post(`${BASE}/stop`)).json.status).toBe('stopped')
  expect((await ai.post(`${BASE}/stop`)).json.status).toBe('stopped')
  expect((await eventsOf()).map(({ type }) => type)).toEqual(['GeneratorStarted', 'GeneratorStopped'])
})

test('what is new is scored, and nothing else', async () => {
  await ai.post(`${BASE}/start`)
  const jobs = [await ai.postJob(companyId, { requirements: ['Rust'] }), await ai.postJob(companyId)]
  await ai.registerTalent(companyId, { skills: ['Rust'] })
  await until('two pairs', async () => (await scoredPairs()).length === 2)
  await ai.registerTalent(companyId, { skills: ['Go'] })
  await until('two more', async () => (await scoredPairs()).length === 4)
  const closed = jobs[1] as string
  await ai.closeJob(companyId, closed)
  await ai.registerTalent(companyId, { skills: ['Java'] })
  await until('one more', async () => (await scoredPairs()).length === 5)
  const pairs = await scoredPairs()
  expect(new Set(pairs).size).toBe(5)
  expect(pairs.filter((pair) => pair.startsWith(closed))).toHaveLength(2)
})

test('a score is stale when either side has changed since, and is computed anew; the others stay', async () => {
  const job = await ai.postJob(companyId, { requirements: ['Rust'] })
  const changing = await ai.registerTalent(companyId, { skills: ['Go'] })
  await ai.registerTalent(companyId, { skills: ['Rust'] })
  await ai.post(`${BASE}/start`)
  await until('both are scored', async () => (await scoredPairs()).length === 2)
  // As a later version of the program would write it, which lets profiles be edited.
  const registered = {
    talentId: changing,
    companyId,
    name: 'Ada',
    location: null,
    seniority: null,
    yearsOfExperience: null,
  }
  const data = { ...registered, skills: ['Rust'], languages: [], registeredAt: '2026-03-01T10:00:00.000Z' }
  const cause = { correlationId: 'test', causationId: 'test', actor: { kind: 'system', name: 'test' } } as const
  const event = newEvent(randomUUID(), { type: 'TalentRegistered', data }, cause)
  await ai.engines.store.append(`talent-${changing}`, 'any', [event])
  await until('it is scored anew', async () => (await scoredPairs()).length === 3)
  expect((await scoredPairs()).slice(2)).toEqual([`${job} ${changing}`])
  await until('it is shown', async () => (await scoresOf(job)).every(({ score }) => score === 100))
})

test('the best guesses come first: by embeddings, and by the rules when they cannot be had', async () => {
  const vector = (text: string) => (/Title|Zebra/.test(text) ? [1, 0] : /Apple/.test(text) ? [0.5, 0.5] : [0, 1])
  ai.provider.always(modelScript({ vector }))
  await ai.postJob(companyId, { requirements: ['Apple'] })
  const ids: Record<string, string> = {}
  for (const skill of ['Apple', 'Zebra', 'Nothing'])
    ids[skill] = await ai.registerTalent(companyId, { skills: [skill] })
  await ai.isShown()
  await ai.post(`${BASE}/start`)
  const order = async () => (await scoredPairs()).map((pair) => pair.split(' ')[1])
  await until('all three', async () => (await order()).length === 3)
  expect(await order()).toEqual([ids.Zebra, ids.Apple, ids.Nothing])
  expect(ai.provider.calls.filter(isEmbedding)).toHaveLength(1)

  await ai.post(`${BASE}/stop`)
  ai.provider.always(whole({ error: 'down' }, { status: 500 }))
  const other = await ai.postJob(companyId, { title: 'Other', requirements: ['Apple'] })
  await ai.isShown()
  await ai.post(`${BASE}/start`)
  await until('by rule', async () => (await order()).length === 6)
  expect((await scoredPairs()).slice(3)[0]).toBe(`${other} ${ids.Apple}`)
})

describe('between 40 and 80', () => {
  const open = async () => {
    const job = await ai.postJob(companyId, { requirements: ['Rust', 'Figma'] })
    const talent = await ai.registerTalent(companyId, { skills: ['Rust'] })
    return { job, talent }
  }

  test('a model judges, within its bounds, and the sentence says so', async () => {
    ai.provider.always(modelScript({ judgement: () => ({ adjustment: 99, reason: 'Knows C++ well.' }) }))
    const { job } = await open()
    await ai.post(`${BASE}/start`)
    const [row] = await until('it is scored', async () => {
      const rows = await scoresOf(job)
      return rows.length > 0 && rows
    })
    expect(row).toMatchObject({
      adjustment: 10,
      parts: { skills: 50 },
      explanation: expect.stringMatching(/Knows C\+\+/),
    })
    expect(row?.score).toBe(60)
    const [question] = ai.provider.calls.filter(isJudgement)
    expect(question?.body.toString()).toContain('Rust')
    expect(question?.body.toString()).not.toContain('Ada')
    const { operations } = (await ai.get('/monitoring/operations')).json
    expect(operations).toContainEqual(
      expect.objectContaining({ kind: 'match_judgement', service: 'extract', tokens_in: 40, tokens_out: 5 }),
    )
    const ledgers = await ai.engines.store.readAll({ after: '' as never, categories: ['ledger'], limit: 10 })
    expect(ledgers.events).toEqual([])
  })

  test('a pair whose judgement fails is not lost: it counts as an error and is tried again; others go on', async () => {
    ai.provider.always((response, received) =>
      isJudgement(received)
        ? whole({ error: 'down' }, { status: 500 })(response, received)
        : modelScript()(response, received),
    )
    const { job, talent } = await open()
    const clear = await ai.registerTalent(companyId, { skills: ['Rust', 'Figma'] })
    await ai.isShown()
    await ai.post(`${BASE}/start`)
    await until('the clear one is scored', async () => (await scoresOf(job)).some((row) => row.talent_id === clear))
    expect(await metrics()).toMatchObject({ total_processed: 1, total_errors: 1, error_rate: 50, queue_depth: 1 })
    ai.provider.always(modelScript())
    await until('the other one, too', async () => (await scoresOf(job)).some((row) => row.talent_id === talent))
    expect((await scoredPairs()).length).toBe(2)
    expect((await metrics()).queue_depth).toBe(0)
  })

  test('five failures open the breaker: no call is made until the cool-down ends, then one probe, then all', async () => {
    ai.provider.always((response, received) =>
      isJudgement(received)
        ? whole({ error: 'down' }, { status: 500 })(response, received)
        : modelScript()(response, received),
    )
    const job = await ai.postJob(companyId, { requirements: ['Rust', 'Figma'] })
    for (let n = 0; n < 30; n++) await ai.registerTalent(companyId, { skills: ['Rust', `Other ${n}`] })
    await ai.isShown()
    await ai.post(`${BASE}/start`)
    await until('the metrics show OPEN', async () => (await metrics()).circuit_breaker_state === 'OPEN')
    // While the provider fails, the breaker opens again after each cool-down.
    await until('readiness shows open', async () => {
      const { status, components } = (await ai.get('/health/ready')).json
      expect(status).toBe('degraded')
      expect(components.circuit_breakers).toMatchObject({ chat: 'closed', embed: 'closed' })
      return components.circuit_breakers.extract === 'open'
    })
    await until('the metrics show HALF-OPEN', async () => (await metrics()).circuit_breaker_state !== 'OPEN')
    ai.provider.always(modelScript())
    await until('all are scored', async () => (await scoresOf(job)).length === 30)
    expect((await metrics()).circuit_breaker_state).toBe('CLOSED')
    expect(new Set(await scoredPairs()).size).toBe(30)
    expect(await scoredPairs()).toHaveLength(30)
  })
})

test('stops after the batch that is under way, and goes on with the next one when it is started again', async () => {
  const release = Promise.withResolvers<void>()
  const answer = modelScript()
  ai.provider.always(async (response, received) => {
    if (isJudgement(received)) await release.promise
    await answer(response, received)
  })
  await ai.postJob(companyId, { requirements: ['Rust', 'Figma'] })
  await ai.registerTalent(companyId, { skills: ['Rust'] })
  await ai.post(`${BASE}/start`)
  await until('a batch is under way', async () => (await status()).status === 'processing')
  expect((await ai.post(`${BASE}/stop`)).json.status).toBe('processing')
  release.resolve()
  await until('it is stopped', async () => (await status()).status === 'stopped')
  expect((await eventsOf()).map(({ type }) => type)).toEqual([
    'GeneratorStarted',
    'BatchStarted',
    'GeneratorStopped',
    'BatchCompleted',
  ])
  await ai.registerTalent(companyId, { skills: ['Figma', 'Rust'] })
  await ai.post(`${BASE}/start`)
  await until('the new one is scored', async () => (await scoredPairs()).length === 2)
  expect(await metrics()).toMatchObject({ total_processed: 1 })
  expect((await status()).current_batch).toBe(2)
})

test('of two AI services one runs it, both tell the same, and the other goes on when it is gone', async () => {
  const other = await startAi(ai.runtimeOfAnother(), providersOf(ai.provider))
  try {
    const ask = async (path: string, method = 'GET') =>
      (await call(other.url ?? '', path, { key: AI_TOKEN, method })).json
    await ai.postJob(companyId, { requirements: ['Rust'] })
    await ai.registerTalent(companyId, { skills: ['Rust'] })
    expect((await ask(`${BASE}/start`, 'POST')).status).toMatch(/running|processing/)
    expect((await ai.post(`${BASE}/start`)).status).toBe(200)
    await until('it is scored', async () => (await scoredPairs()).length === 1)
    await until('both tell it', async () => {
      const [here, there] = [await metrics(), await ask(`${BASE}/metrics`)]
      return here.total_processed === 1 && there.total_processed === 1
    })
    await ai.stopAi()
    await ai.registerTalent(companyId, { skills: ['Go'] })
    await until('the other scores on', async () => (await scoredPairs()).length === 2)
    expect((await eventsOf()).filter(({ type }) => type === 'GeneratorStarted')).toHaveLength(1)
  } finally {
    await other.drain(1_000)
  }
})
