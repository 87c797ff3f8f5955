import type { Runtime } from '../../capabilities/installation.ts'
import { apiDocsRoutes } from '../../platform/http/commonRoutes/docsRoutes.ts'
import { metricsRoute } from '../../platform/http/commonRoutes/metricsRoute.ts'
import { openApiDocument } from '../../platform/http/commonRoutes/openApiDocument.ts'
import { type App, createApp } from '../../platform/http/createApp.ts'
import { serviceGuards } from '../../platform/http/guards.ts'
import type { Route } from '../../platform/http/route.ts'
import type { BackgroundWorker } from './backgroundWorker.ts'
import type { MatchScoreGenerator } from './generator/matchScoreGenerator.ts'
import type { BackgroundModels } from './models/backgroundModels.ts'
import type { AppLogs } from './monitoring/appLogs.ts'
import type { SystemStats } from './monitoring/systemStats.ts'
import { generatorMetrics, generatorStart, generatorStatus, generatorStop } from './routes/generator.ts'
import { health } from './routes/health.ts'
import { healthDatabase } from './routes/healthDatabase.ts'
import { healthLive } from './routes/healthLive.ts'
import { healthReady } from './routes/healthReady.ts'
import { type AiServicesSource, monitoringAiServices } from './routes/monitoringAiServices.ts'
import { monitoringAppLogs } from './routes/monitoringAppLogs.ts'
import { monitoringErrors } from './routes/monitoringErrors.ts'
import { monitoringOperations } from './routes/monitoringOperations.ts'
import { monitoringStats } from './routes/monitoringStats.ts'
import { roomCreated, roomDestroyed } from './routes/roomEvents.ts'

const INFO = {
  title: 'Tollgate AI service',
  description: 'Background work: match scores, workers, meeting hooks, and their monitoring.',
}

export type AiParts = Pick<Runtime, 'clock' | 'ids' | 'log' | 'metrics' | 'tracing'> &
  Pick<Runtime['engines'], 'database' | 'commands'> & {
    readonly internalToken: string
    readonly generator: Pick<MatchScoreGenerator, 'start' | 'stop' | 'figures'>
    readonly models: Pick<BackgroundModels, 'breakerStates'> & AiServicesSource
    readonly workers: readonly BackgroundWorker[]
    readonly stats: Pick<SystemStats, 'read'>
    readonly logs: Pick<AppLogs, 'find'>
  }

/** The HTTP interface of the AI service. */
export function createAi(parts: AiParts): App {
  const { clock, ids, log, tracing, internalToken } = parts
  return createApp({ routes: aiRoutes(parts), guards: serviceGuards(internalToken), clock, ids, log, tracing })
}

export function aiRoutes(parts: AiParts): readonly Route<null>[] {
  const { generator, models, stats, logs, database, clock, metrics } = parts
  const routes = [
    health,
    healthLive,
    healthReady(parts),
    healthDatabase(database, clock),
    monitoringStats(stats),
    monitoringOperations(models.operations),
    monitoringAppLogs(logs),
    monitoringErrors(logs),
    monitoringAiServices(models),
    generatorStatus(generator),
    generatorStart(generator),
    generatorStop(generator),
    generatorMetrics(generator),
    roomCreated(parts),
    roomDestroyed(parts),
    metricsRoute(metrics),
  ]
  return [...routes, ...apiDocsRoutes('', () => openApiDocument(routes, INFO))]
}
