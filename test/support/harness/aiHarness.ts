import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Runtime } from '../../../capabilities/installation.ts'
import { openInstallation } from '../../../capabilities/installation.ts'
import type { ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { SANDBOX_ALIASES } from '../../../contracts/aliases.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { jobDecider } from '../../../domain/job/decider.ts'
import { talentDecider } from '../../../domain/talent/decider.ts'
import { type Clock, isoTime, systemClock } from '../../../platform/clock/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { publishLinesTo } from '../../../platform/logger/logLines.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { openTracing } from '../../../platform/tracing/openTracing.ts'
import { jobs } from '../../../projections/jobs/projection.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import { talents } from '../../../projections/talents/projection.ts'
import { startAi } from '../../../services/ai/ai.ts'
import { prepareReadModels, startProjector } from '../../../services/projector/projector.ts'
import { OpenApiAnswers } from '../cases/openApiAnswers.ts'
import { openHarnessEngines } from '../engines/openHarnessEngines.ts'
import { modelScript } from '../parties/modelScripts.ts'
import {
  PROVIDER_KEY,
  PROVIDER_MODEL,
  type ScriptedProvider,
  startScriptedProvider,
} from '../parties/scriptedProvider.ts'
import { until } from '../time/until.ts'
import { type Answer, type CallOptions, call } from './gatewayClient.ts'

export const AI_TOKEN = 'internal-token-of-the-tests'
const ACTOR = { kind: 'system', name: 'test' } as const

export type AiHarnessOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** The database address: that of a proxy if the test cuts the connection. */
  readonly through?: (url: string) => Promise<string> | string
}

export type AiHarness = Awaited<ReturnType<typeof startAiHarness>>

/** An AI service on its own engines, like the gateway harness, with a projector and a scripted model provider. */
export async function startAiHarness(options: AiHarnessOptions = {}) {
  const { clock = systemClock, through = (url: string) => url } = options
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-ai-'))
  const own = await openHarnessEngines({ through: (url) => url })
  const provider = await startScriptedProvider()
  provider.always(modelScript())
  const config = readConfig({ AI_PORT: '0', DATA_DIR: folder, SANDBOX: '1', ...own.settings, ...options.env })
  const { log, tap, close: closeLog } = openLog({ level: config.LOG_LEVEL, file: join(folder, 'ai.log') })
  const tracing = await openTracing(config, { clock, ids: systemIds, log, name: 'ai' })
  const engines = await openInstallation(config, await through(own.databaseUrl), {
    clock,
    ids: systemIds,
    log,
    tracing,
  })
  tap(publishLinesTo(engines.sharedState.logFanOut, 'ai'))
  const secrets = { jwtSecret: 'x'.repeat(32), internalToken: AI_TOKEN, webhookSecret: 'whsec_of_the_tests' }
  const runtime: Runtime = {
    config,
    secrets,
    engines,
    clock,
    ids: systemIds,
    log,
    metrics: createMetrics(),
    tracing,
  }
  await prepareReadModels(runtime)
  const relay = await own.startRelay(runtime)
  const projector = await startProjector(runtime)
  let ai = await startAi(runtime, providersOf(provider))
  const urlOf = () => ai.url ?? ''
  const documented = new OpenApiAnswers((await call(urlOf(), '/openapi.json')).json)

  /** Every answer is checked against the documentation. */
  const send = async (path: string, sent: CallOptions = {}): Promise<Answer> => {
    const answer = await call(urlOf(), path, sent)
    const method = sent.method ?? (sent.body === undefined ? 'GET' : 'POST')
    if (isJson(answer)) documented.check(method, path, answer.status, answer.json)
    return answer
  }
  let drained: Promise<void> | null = null
  const stopAi = () => {
    drained ??= ai.drain(2_000)
    return drained
  }
  /** For a second service beside the first, with separate metrics. */
  const runtimeOfAnother = (): Runtime => ({ ...runtime, metrics: createMetrics() })
  return {
    url: urlOf(),
    runtime,
    stopAi,
    /** Restarts the service, which then follows changes from the read models' position. Its address changes. */
    restartAi: async () => {
      await stopAi()
      ai = await startAi(runtimeOfAnother(), providersOf(provider))
      drained = null
    },
    runtimeOfAnother,
    engines,
    provider,
    folder,
    send,
    get: (path: string) => send(path, { key: AI_TOKEN }),
    post: (path: string, body?: object) => send(path, { key: AI_TOKEN, method: 'POST', ...(body ? { body } : {}) }),
    ...hiring(runtime),
    /** Waits until the read models show everything registered so far. */
    isShown: async () => {
      const { database, store, feed } = engines
      for (const { name, categories } of [jobs, talents]) {
        const { events } = await store.readAll({ after: BEGINNING, categories, limit: 1_000 })
        for (const { stream, position } of events) {
          await until(`${name} shows it`, () => hasPassed(database, name, position, clock, feed.partitionOf(stream)))
        }
      }
    },
    close: async () => {
      await stopAi()
      await projector.drain(1_000)
      await relay?.drain(1_000)
      await tracing?.close()
      await engines.close()
      closeLog()
      await provider.close()
      await own.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isJson({ headers }: Answer): boolean {
  return String(headers['content-type']).startsWith('application/json')
}

export function providersOf({ baseUrl }: Pick<ScriptedProvider, 'baseUrl'>): ProviderTable {
  const limits = { connectTimeoutMs: 10_000, firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000 }
  const provider = { name: 'vendor-one', baseUrl, model: PROVIDER_MODEL, apiKey: PROVIDER_KEY, ...limits }
  return Object.fromEntries(SANDBOX_ALIASES.map((alias) => [alias, { maxOutputTokens: 4_096, providers: [provider] }]))
}

export type JobChanges = {
  readonly title?: string
  readonly location?: string | null
  readonly seniority?: string | null
  readonly requirements?: readonly string[]
}
export type TalentChanges = {
  readonly location?: string | null
  readonly seniority?: string | null
  readonly yearsOfExperience?: number | null
  readonly skills?: readonly string[]
  readonly languages?: readonly string[]
}

/** Sends the commands of a company's requests. */
export function hiring({ engines, clock }: Pick<Runtime, 'engines' | 'clock'>) {
  const { commands } = engines
  const context = () => ({ commandId: randomUUID(), correlationId: 'test', actor: ACTOR })
  const at = () => isoTime(clock.now())
  return {
    postJob: async (companyId: string, changes: JobChanges = {}): Promise<string> => {
      const jobId = randomUUID()
      const stream = streamName('job', jobId)
      const job = {
        title: 'Engineer',
        location: null,
        employmentType: null,
        seniority: null,
        requirements: [],
        metadata: {},
      }
      await commands.handle(
        jobDecider,
        stream,
        { type: 'PostJob', jobId, companyId, ...job, ...changes, at: at() },
        context(),
      )
      await commands.handle(jobDecider, stream, { type: 'PublishJob', jobId, companyId, at: at() }, context())
      return jobId
    },
    closeJob: async (companyId: string, jobId: string) => {
      const command = { type: 'CloseJob', jobId, companyId, at: at() } as const
      await commands.handle(jobDecider, streamName('job', jobId), command, context())
    },
    registerTalent: async (companyId: string, changes: TalentChanges = {}): Promise<string> => {
      const talentId = randomUUID()
      const talent = {
        name: 'Ada',
        location: null,
        seniority: null,
        yearsOfExperience: null,
        skills: [],
        languages: [],
      }
      const command = { type: 'RegisterTalent', talentId, companyId, ...talent, ...changes, at: at() } as const
      await commands.handle(talentDecider, streamName('talent', talentId), command, context())
      return talentId
    },
  }
}
