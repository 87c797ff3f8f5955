import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withBenchFolder } from '../../../bench/feed/benchFolder.ts'
import { machine } from '../../../bench/figure.ts'
import { freePorts } from '../../../bench/freePorts.ts'
import { registerCompany } from '../../../bench/generator/company.ts'
import { readCpuTicks } from '../../../bench/stolenTime.ts'
import type { Installation } from '../../../capabilities/installation.ts'
import { openInstallation } from '../../../capabilities/installation.ts'
import { SANDBOX_ALIASES } from '../../../contracts/aliases.ts'
import type { GeneratorEvent } from '../../../contracts/events/generator.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { startEmbeddedPostgres } from '../../../platform/postgres/embedded/embeddedPostgres.ts'
import { matchScores } from '../../../projections/matchScores/projection.ts'
import { hashProjection } from '../../../projections/runner/hash.ts'
import { rebuildProjection } from '../../../projections/runner/rebuild.ts'
import { prepareReadModels, startProjector } from '../../../services/projector/projector.ts'
import { until } from '../../support/time/until.ts'
import type { SoakReport } from '../engines/enginesSoak.ts'
import { check } from '../engines/enginesVerdict.ts'
import { caughtUp } from '../engines/fleetBooks.ts'
import { AiProcess } from './aiProcess.ts'
import { type FlakyProvider, startFlakyProvider } from './flakyProvider.ts'
import { judgeOrder, judgePairs, scoresAfter } from './generatorVerdict.ts'

export type GeneratorForm = {
  readonly name: string
  readonly jobs: number
  readonly talents: number
  /** How long the model provider is down. */
  readonly deadMs: number
}

export const WHOLE_GENERATOR: GeneratorForm = { name: 'whole', jobs: 200, talents: 500, deadMs: 10_000 }
export const SHORT_GENERATOR: GeneratorForm = { name: 'short', jobs: 40, talents: 100, deadMs: 3_000 }

const FAILURE_SHARE = 0.1
const COOLDOWN_MS = 1_000
const STEP_MS_MAX = 600_000
/** Shares of the pairs at which something happens. */
const STOP_AT = 0.1
const DIE_AT = 0.25
const KILL_AT = 0.5

type Tell = (line: string) => void

/** A company's pairs scored through a provider that fails, a stop and a start, and a service that is killed. */
export async function soakGenerator(form: GeneratorForm, tell: Tell): Promise<SoakReport> {
  const beganAt = performance.now()
  const begin = readCpuTicks()
  return withBenchFolder(async ({ path, closers }) => {
    const postgres = await startEmbeddedPostgres({ dataDir: path })
    closers.push(() => postgres.stop())
    const provider = await startFlakyProvider(FAILURE_SHARE)
    closers.push(() => provider.close())
    const { log } = openLog({ level: 'warn', file: join(path, 'soak.log') })
    const config = readConfig({ DATA_DIR: path })
    const engines = await openInstallation(config, postgres.url, {
      clock: systemClock,
      ids: systemIds,
      log,
    })
    closers.push(() => engines.close())
    const metrics = createMetrics()
    const runtime = { config, engines, clock: systemClock, ids: systemIds, log, metrics, tracing: null }
    await prepareReadModels(runtime)
    const projector = await startProjector(runtime)
    closers.push(() => projector.drain(1_000))
    const [port = 0] = await freePorts(1)
    const ai = new AiProcess(await settingsOf(path, postgres.url, provider), port, join(path, 'ai.log'))
    closers.push(async () => void (await ai.drain()))
    tell(`registering ${form.jobs} jobs and ${form.talents} talents`)
    await registerCompany(engines, form, 'open')
    await caughtUp(engines, STEP_MS_MAX)
    const report = await soak({ form, engines, provider, ai, tell })
    const seconds = Math.round((performance.now() - beganAt) / 1000)
    return { measuredAt: new Date().toISOString(), machine: machine(begin), form: form.name, ...report, seconds }
  })
}

type Stage = {
  readonly form: GeneratorForm
  readonly engines: Installation
  readonly provider: FlakyProvider
  readonly ai: AiProcess
  readonly tell: Tell
}

async function soak({ form, engines, provider, ai, tell }: Stage) {
  const pairs = form.jobs * form.talents
  const seen = new Set<string>()
  const watching = new AbortController()
  const watch = watchBreaker(ai, seen, watching.signal)
  const reached = (share: number) =>
    until(`${share * 100} % are scored`, async () => (await rows(engines)) >= pairs * share, STEP_MS_MAX)

  await ai.start()
  await ai.command('start')
  tell('started')
  await reached(STOP_AT)
  await ai.command('stop')
  await until('it is stopped', async () => (await ai.status()).status === 'stopped', STEP_MS_MAX)
  const stoppedAt = await eventsOf(engines)
  await wait(1_000)
  const later = await eventsOf(engines)
  tell('stopped, and started again')
  await ai.command('start')
  await reached(DIE_AT)
  tell('the provider dies')
  seen.clear()
  await provider.die()
  await wait(form.deadMs)
  const seenDead = [...seen]
  await provider.comeBack()
  tell(`the provider is back; seen meanwhile: ${seenDead.join(', ')}`)
  await until('the breaker is closed', async () => (await ai.metrics()).circuit_breaker_state === 'CLOSED', STEP_MS_MAX)
  await reached(KILL_AT)
  tell('the service is killed')
  await ai.kill()
  // Appends it had sent may still be stored.
  await wait(500)
  const batchAtDeath = lastBatch(await eventsOf(engines))
  await ai.start()
  tell('the service is back')
  await until('all are scored', async () => (await rows(engines)) === pairs, STEP_MS_MAX)
  await until('the queue is empty', async () => (await ai.metrics()).queue_depth === 0, STEP_MS_MAX)
  watching.abort()
  await watch
  tell('all pairs are scored')
  return judged({ form, engines, provider, ai, tell }, { stoppedAt, later, seenDead, batchAtDeath })
}

type Observed = {
  readonly stoppedAt: readonly GeneratorEvent[]
  readonly later: readonly GeneratorEvent[]
  readonly seenDead: readonly string[]
  readonly batchAtDeath: number
}

async function judged({ engines, provider, ai }: Stage, { stoppedAt, later, seenDead, batchAtDeath }: Observed) {
  const events = await eventsOf(engines)
  const jobs = await ids(engines, 'jobs', 'job_id')
  const talents = await ids(engines, 'talents', 'talent_id')
  const metrics = await ai.metrics()
  const { totals } = await ai.operations()
  const sinceDeath = scoresAfter(events, batchAtDeath)
  const { events: ledgers } = await engines.store.readAll({ after: '' as never, categories: ['ledger'], limit: 1 })
  const live = await hashProjection(engines.database, matchScores)
  await rebuildProjection({
    clock: systemClock,
    ids: systemIds,
    projection: matchScores,
    database: engines.database,
    source: engines.store,
    partitions: engines.feed.partitionsOf(matchScores.categories),
    idsAreUnique: engines.store.idsAreUnique,
  })
  const rebuilt = await hashProjection(engines.database, matchScores)
  const exitCode = await ai.drain()
  const moved = later.length - stoppedAt.length
  return {
    pairs: jobs.length * talents.length,
    provider: provider.counts,
    metrics,
    operations: totals,
    checks: [
      judgePairs({ events, jobs, talents }),
      judgeOrder(events),
      check('stopped, nothing more is written', moved === 0 ? [] : [`${moved} events`], 'for a second'),
      check(
        'the breaker opens while the provider is down, and closes afterwards',
        seenDead.includes('OPEN') && metrics.circuit_breaker_state === 'CLOSED' ? [] : [seenDead.join(', ') || 'never'],
        `seen: ${seenDead.join(', ')}, then CLOSED`,
      ),
      check(
        'the totals since the restart are those on record',
        metrics.total_processed === sinceDeath ? [] : [`${metrics.total_processed} told, ${sinceDeath} on record`],
        `${sinceDeath} matches, ${metrics.total_errors} errors`,
      ),
      check(
        'failures were met and got over',
        provider.counts.failed > 0 && metrics.total_errors > 0 ? [] : ['no call failed'],
        `${provider.counts.failed} of ${provider.counts.failed + provider.counts.answered} calls failed`,
      ),
      check(
        'nothing was charged to a company',
        ledgers.length === 0 ? [] : ['the ledger has events'],
        'no ledger event',
      ),
      check(
        'the scores hash equal to a rebuild',
        live && live.hash === rebuilt?.hash ? [] : [`${live?.rows} rows, rebuilt ${rebuilt?.rows}`],
        `${live?.rows} rows`,
      ),
      check('the service drains', exitCode === 0 ? [] : [`exit code ${exitCode}`], 'exit code 0'),
    ],
  }
}

async function settingsOf(folder: string, databaseUrl: string, { port }: FlakyProvider) {
  const file = join(folder, 'providers.json')
  const provider = {
    name: 'flaky',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: 'flaky-1',
    firstByteTimeoutMs: 5_000,
  }
  const aliases = Object.fromEntries(SANDBOX_ALIASES.map((alias) => [alias, { providers: [provider] }]))
  await writeFile(file, JSON.stringify({ aliases }))
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'ai'),
    PROVIDERS_FILE: file,
    SMTP_URL: 'smtp://127.0.0.1:1',
    PUBLIC_URL: 'http://127.0.0.1:1',
    BREAKER_COOLDOWN_MS: String(COOLDOWN_MS),
    LOG_LEVEL: 'warn',
  }
}

/** The breaker states in the metrics; polled often, because a breaker stays open for only a second. */
async function watchBreaker(ai: AiProcess, seen: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const metrics = await ai.metrics().catch(() => null)
    if (metrics) seen.add(metrics.circuit_breaker_state)
    await wait(50)
  }
}

async function eventsOf({ store }: Installation): Promise<GeneratorEvent[]> {
  const events: GeneratorEvent[] = []
  for await (const event of store.readStream('generator-match-scores')) events.push(event)
  return events
}

function lastBatch(events: readonly GeneratorEvent[]): number {
  return events.reduce((last, event) => (event.type === 'BatchCompleted' ? event.data.batch : last), 0)
}

async function rows({ database }: Installation): Promise<number> {
  const [row] = await database.query<{ n: string }>('select count(*) as n from read_models.match_scores')
  return Number(row?.n)
}

async function ids({ database }: Installation, table: string, column: string): Promise<string[]> {
  const found = await database.query<{ id: string }>(`select ${column} as id from read_models.${table}`)
  return found.map(({ id }) => id)
}
