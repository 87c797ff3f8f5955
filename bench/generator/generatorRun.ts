import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Installation } from '../../capabilities/installation.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import { SANDBOX_ALIASES } from '../../contracts/aliases.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { prepareProjection } from '../../projections/runner/runner.ts'
import { MatchScoreGenerator } from '../../services/ai/generator/matchScoreGenerator.ts'
import { BackgroundModels } from '../../services/ai/models/backgroundModels.ts'
import { withEmbeddedInstallation } from '../feed/embeddedInstallation.ts'
import { freePorts } from '../freePorts.ts'
import { type CompanySize, type Kind, registerCompany } from './company.ts'

const LOOK_EVERY_MS = 10
const MS_MAX = 180_000

export type MeasuredRun = {
  /** Until the last batch was recorded. */
  readonly pairsPerSecond: number
  readonly seconds: number
  /** Until all of them were visible in the read model. */
  readonly shownSeconds: number
  readonly judged: number
}

/** Scores all pairs of one company in a separate installation. */
export function measureRun(size: CompanySize, kind: Kind): Promise<MeasuredRun> {
  return withEmbeddedInstallation(async ({ engines, startProjector }) => {
    const provider = await startProvider()
    try {
      for (const projection of PROJECTIONS) {
        await prepareProjection(engines.database, projection, engines.feed.partitionsOf(projection.categories))
      }
      const projector = await startProjector()
      await registerCompany(engines, size, kind)
      await until(async () => (await count(engines, 'talents')) === size.talents)
      await until(async () => (await count(engines, 'jobs', "status = 'ACTIVE'")) === size.jobs)
      const run = await timed(engines, provider.table, size.jobs * size.talents)
      await projector.stop()
      return run
    } finally {
      provider.stop()
    }
  })
}

async function timed(engines: Installation, providers: ProviderTable, pairs: number): Promise<MeasuredRun> {
  const { log } = openLog({ level: 'silent', file: null })
  const models = new BackgroundModels({
    secrets: [],
    providers,
    cooldownMs: 60_000,
    clock: systemClock,
    ids: systemIds,
    log,
    metrics: createMetrics(),
  })
  const generator = new MatchScoreGenerator({ engines, clock: systemClock, ids: systemIds, log, models })
  try {
    const beganAt = performance.now()
    await generator.start()
    await until(async () => (await generator.figures()).processed >= pairs)
    const seconds = (performance.now() - beganAt) / 1000
    await until(async () => (await count(engines, 'match_scores')) === pairs)
    const shownSeconds = (performance.now() - beganAt) / 1000
    const { processed, errors } = await generator.figures()
    if (processed !== pairs || errors > 0) throw new Error(`${processed} of ${pairs} pairs, ${errors} errors`)
    const judged = await count(engines, 'match_scores', 'adjustment is not null')
    return { pairsPerSecond: pairs / seconds, seconds, shownSeconds, judged }
  } finally {
    await generator.drain(5_000)
    await models.close()
  }
}

async function startProvider() {
  const [port = 0] = await freePorts(1)
  const child = fork(join(import.meta.dirname, '..', 'processes', 'instantModels.ts'), [String(port)])
  await once(child, 'message')
  const limits = { connectTimeoutMs: 2_000, firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000 }
  const provider = {
    name: 'instant',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: 'instant',
    apiKey: null,
    ...limits,
  }
  const table: ProviderTable = Object.fromEntries(
    SANDBOX_ALIASES.map((alias) => [alias, { maxOutputTokens: 4_096, providers: [provider] }]),
  )
  return { table, stop: () => child.kill() }
}

async function count({ database }: Installation, table: string, where = 'true'): Promise<number> {
  const [row] = await database.query<{ n: string }>(`select count(*) as n from read_models.${table} where ${where}`)
  return Number(row?.n)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + MS_MAX; !(await condition()); await wait(LOOK_EVERY_MS)) {
    if (performance.now() > endMs) throw new Error(`the generator has not finished within ${MS_MAX} ms`)
  }
}
