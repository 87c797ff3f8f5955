import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Credits, ruleScore } from '../../../domain/matching/score.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { JobRow } from '../../../projections/jobs/projection.ts'
import type { TalentRow } from '../../../projections/talents/projection.ts'
import { providersOf } from '../../../test/support/harness/aiHarness.ts'
import { modelScript } from '../../../test/support/parties/modelScripts.ts'
import { type ScriptedProvider, startScriptedProvider, whole } from '../../../test/support/parties/scriptedProvider.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { BackgroundModels } from '../models/backgroundModels.ts'
import { type PlannedPair, scoreBatch } from './batch.ts'
import { jobCandidate, talentCandidate } from './candidates.ts'

const PAIRS = 60
const COOLDOWN_MS = 60_000
const down = whole({ error: 'down' }, { status: 500 })

let provider: ScriptedProvider
let models: BackgroundModels
let clock: ManualClock
beforeEach(async () => {
  provider = await startScriptedProvider()
  clock = new ManualClock()
  const { log } = openLog({ level: 'silent', file: null })
  const providers = providersOf(provider)
  models = new BackgroundModels({
    ...{ providers, secrets: [], cooldownMs: COOLDOWN_MS, clock, ids: systemIds, log, metrics: createMetrics() },
  })
})
afterEach(async () => {
  await models.close()
  await provider.close()
})

const job = jobCandidate({
  ...{ jobId: randomUUID(), companyId: randomUUID(), title: 'Engineer', location: null, employmentType: null },
  ...{ seniority: null, requirements: ['Rust', 'Figma'], metadata: {} },
} as unknown as JobRow)

function openPairs(count: number): PlannedPair[] {
  return Array.from({ length: count }, () => {
    const talent = talentCandidate({
      ...{ talentId: randomUUID(), location: null, seniority: null, yearsOfExperience: null },
      ...{ skills: ['Rust'], languages: [] },
    } as unknown as TalentRow)
    const rule = ruleScore(job.profile, talent.profile, new Credits())
    return { pair: { job, talent, estimate: 0 }, rule, isJudged: true }
  })
}

test('pairs that an open circuit breaker rejects have not failed', async () => {
  provider.always(down)
  const first = await scoreBatch(models, openPairs(PAIRS))
  expect(first.failed).toHaveLength(provider.calls.length)
  expect(first.result.failed).toBe(first.failed.length)
  expect(first.rejected).toHaveLength(PAIRS - first.failed.length)
  expect(first.rejected.length).toBeGreaterThan(0)

  await clock.advance(COOLDOWN_MS)
  const probed = await scoreBatch(models, openPairs(PAIRS))
  expect([probed.failed.length, probed.rejected.length]).toEqual([1, PAIRS - 1])

  provider.always(modelScript())
  await clock.advance(COOLDOWN_MS)
  const scored = await scoreBatch(models, openPairs(PAIRS))
  expect([scored.result.scores.length, scored.failed.length, scored.rejected.length]).toEqual([PAIRS, 0, 0])
})

test('pairs whose provider rests after failures of another service have not failed', async () => {
  provider.always(down)
  for (let n = 0; n < 5; n++) await expect(models.embed('a_test', ['text'])).rejects.toThrow()
  const { length: called } = provider.calls
  const batch = await scoreBatch(models, openPairs(3))
  expect(provider.calls).toHaveLength(called)
  expect([batch.failed.length, batch.rejected.length]).toEqual([0, 3])
})
