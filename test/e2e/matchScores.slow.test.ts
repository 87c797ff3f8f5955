import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAi } from '../../services/ai/ai.ts'
import { GENERATOR_PATH as BASE, matchScoreReads } from '../support/events/matchScoreReads.ts'
import { AI_TOKEN, type AiHarness, providersOf, startAiHarness } from '../support/harness/aiHarness.ts'
import { call } from '../support/harness/gatewayClient.ts'
import { isEmbedding, isJudgement, modelScript } from '../support/parties/modelScripts.ts'
import { whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

let ai: AiHarness
let companyId: string
beforeEach(async () => {
  ai = await startAiHarness({ env: { BREAKER_COOLDOWN_MS: '200' } })
  companyId = randomUUID()
})
afterEach(() => ai.close())
const { eventsOf, metrics, scoredPairs, scoresOf, status } = matchScoreReads(() => ({ ai, companyId }))

test('a second start or stop answers 200 with the status and changes nothing', async () => {
  expect((await ai.post(`${BASE}/stop`)).json.status).toBe('stopped')
  expect((await ai.post(`${BASE}/start`)).status).toBe(200)
  expect((await ai.post(`${BASE}/start`)).json.status).toMatch(/running|processing/)
  expect((await ai.post(`${BASE}/stop`)).json.status).toBe('stopped')
  expect((await ai.post(`${BASE}/stop`)).json.status).toBe('stopped')
  expect((await eventsOf()).map(({ type }) => type)).toEqual(['GeneratorStarted', 'GeneratorStopped'])
})

test('pairs with the best estimate come first: by embeddings, or by the rules without them', async () => {
  const vector = (text: string) => (/Title|Zebra/.test(text) ? [1, 0] : /Apple/.test(text) ? [0.5, 0.5] : [0, 1])
  ai.provider.always(modelScript({ vector }))
  await ai.postJob(companyId, { requirements: ['Apple'] })
  const ids: Record<string, string> = {}
  for (const skill of ['Apple', 'Zebra', 'Nothing'])
    ids[skill] = await ai.registerTalent(companyId, { skills: [skill] })
  // If a change arrives in between, the generator scores that pair later.
  const startAfterAllChanges = async () => {
    await ai.isShown()
    await ai.restartAi()
    await ai.post(`${BASE}/start`)
  }
  await startAfterAllChanges()
  const order = async () => (await scoredPairs()).map((pair) => pair.split(' ')[1])
  await until('all three', async () => (await order()).length === 3)
  expect(await order()).toEqual([ids.Zebra, ids.Apple, ids.Nothing])
  expect(ai.provider.calls.filter(isEmbedding)).toHaveLength(1)

  await ai.post(`${BASE}/stop`)
  ai.provider.always(whole({ error: 'down' }, { status: 500 }))
  const other = await ai.postJob(companyId, { title: 'Other', requirements: ['Apple'] })
  await startAfterAllChanges()
  await until('by rule', async () => (await order()).length === 6)
  expect((await scoredPairs()).slice(3)[0]).toBe(`${other} ${ids.Apple}`)
})

test('a stopped generator completes its batch, and continues with the next one after a start', async () => {
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
  // Scores and figures are separate read models; either may be ahead.
  await until('it is counted', async () => (await metrics()).total_processed === 1)
  expect((await status()).current_batch).toBe(2)
})

test('one of two AI services runs the generator, both show its figures, and the other one takes over', async () => {
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

describe('a rule score between 40 and 80', () => {
  const open = async () => {
    const job = await ai.postJob(companyId, { requirements: ['Rust', 'Figma'] })
    const talent = await ai.registerTalent(companyId, { skills: ['Rust'] })
    return { job, talent }
  }

  test('is retried and counted as an error if its judgement fails; other pairs continue', async () => {
    ai.provider.always((response, received) =>
      isJudgement(received)
        ? whole({ error: 'down' }, { status: 500 })(response, received)
        : modelScript()(response, received),
    )
    const { job, talent } = await open()
    const clear = await ai.registerTalent(companyId, { skills: ['Rust', 'Figma'] })
    await ai.isShown()
    await ai.post(`${BASE}/start`)
    await until('the clear one is scored', async () => (await scoresOf(job)).some((row) => row.talentId === clear))
    // Pairs that arrive one after the other are not in one batch.
    const seen = await until('the other one has failed and waits', async () => {
      const figures = await metrics()
      return figures.total_processed === 1 && figures.total_errors > 0 && figures.queue_depth === 1
        ? figures
        : undefined
    })
    expect(seen.error_rate).toBeCloseTo((100 * seen.total_errors) / (seen.total_errors + 1), 0)
    ai.provider.always(modelScript())
    await until('the other one, too', async () => (await scoresOf(job)).some((row) => row.talentId === talent))
    expect((await scoredPairs()).length).toBe(2)
    await until('none waits', async () => (await metrics()).queue_depth === 0)
  })
})
