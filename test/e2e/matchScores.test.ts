import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { GENERATOR_PATH as BASE, matchScoreReads } from '../support/events/matchScoreReads.ts'
import { type AiHarness, startAiHarness } from '../support/harness/aiHarness.ts'
import { isJudgement, modelScript } from '../support/parties/modelScripts.ts'
import { whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

let ai: AiHarness
let companyId: string
beforeEach(async () => {
  ai = await startAiHarness({ env: { BREAKER_COOLDOWN_MS: '200' } })
  companyId = randomUUID()
})
afterEach(() => ai.close())
const { metrics, scoredPairs, scoresOf, status } = matchScoreReads(() => ({ ai, companyId }))

test('every pair of a company is scored with parts and an explanation, and the metrics show it', async () => {
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
  // If a change arrives late, the generator scores that pair in a separate batch.
  await ai.restartAi()
  expect(await status()).toEqual({ status: 'stopped', uptime_seconds: 0, current_batch: 0, queue_size: 0 })
  expect((await ai.post(`${BASE}/start`)).json).toMatchObject({ status: expect.stringMatching(/running|processing/) })
  const scores = await until('both are scored', async () => {
    const rows = await scoresOf(job)
    return rows.length === 2 && rows
  })
  expect(scores).toMatchObject([
    { talentId: first, score: 100, adjustment: null, parts: { skills: 100, location: 100 } },
    { talentId: second, explanation: expect.stringMatching(/^Meets 0 of 2 requirements, missing TypeScript/) },
  ])
  expect(scores.map((score) => score.talentId)).not.toContain(elsewhere)
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

test('only new pairs are scored', async () => {
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

test('a score is computed again when its job or talent changes; other scores stay', async () => {
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

describe('a rule score between 40 and 80', () => {
  const open = async () => {
    const job = await ai.postJob(companyId, { requirements: ['Rust', 'Figma'] })
    const talent = await ai.registerTalent(companyId, { skills: ['Rust'] })
    return { job, talent }
  }

  test('is adjusted by a model within its bounds, and the explanation shows it', async () => {
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

  test('opens the breaker after five failed judgements: no call until the cool-down ends, then one probe, then all', async () => {
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
    await until('the metrics show CLOSED', async () => (await metrics()).circuit_breaker_state === 'CLOSED')
    expect(new Set(await scoredPairs()).size).toBe(30)
    expect(await scoredPairs()).toHaveLength(30)
  })
})
