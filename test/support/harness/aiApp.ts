import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import type { GeneratorFigures } from '../../../capabilities/generator/publishedFigures.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { listen } from '../../../platform/http/httpServer.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { openDatabase } from '../../../platform/postgres/database.ts'
import { type AiParts, createAi } from '../../../services/ai/createAi.ts'
import { OpenApiAnswers } from '../cases/openApiAnswers.ts'
import { MemoryEventStore } from '../eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../eventStores/nothingPersonal.ts'
import { type CallOptions, call } from './gatewayClient.ts'

const TOKEN = 'internal-token-of-the-tests'

export const STOPPED: GeneratorFigures = {
  status: 'stopped',
  uptimeSeconds: 0,
  batch: 0,
  queueSize: 0,
  breaker: 'closed',
  processed: 0,
  errors: 0,
  avgMs: 0,
  perMinute: 0,
  perSecond: 0,
  errorPercent: 0,
  lastProcessedAtMs: null,
}

export type AiApp = Awaited<ReturnType<typeof startAiApp>>

/**
 * The HTTP interface of the AI service with fakes behind it, and without a database unless a test passes one. Every JSON
 * answer is checked against the service's OpenAPI document.
 */
export async function startAiApp(changes: Partial<AiParts> = {}) {
  const { log, close: closeLog } = openLog({ level: 'silent', file: null })
  const store = new MemoryEventStore()
  const unreachable = openDatabase({ url: 'postgres://user@127.0.0.1:1/none' })
  const figures = async () => STOPPED
  const handler = createAi({
    ...{ clock: systemClock, ids: systemIds, log, metrics: createMetrics(), tracing: null, internalToken: TOKEN },
    database: unreachable,
    commands: new CommandHandler(store, new PursuingAppender(store, systemClock), NOTHING_PERSONAL),
    generator: { start: figures, stop: figures, figures },
    models: {
      breakerStates: () => ({ chat: 'closed', extract: 'closed', embed: 'closed' }),
      integrations: () => [],
      operations: { read: () => [] },
    },
    workers: [],
    stats: { read: () => Promise.reject(new Error('this test has no statistics')) },
    logs: { find: async () => ({ source: 'memory', entries: [] }) },
    ...changes,
  })
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT', clock: systemClock })
  const documented = new OpenApiAnswers((await call(server.url, '/openapi.json')).json)
  const send = async (path: string, options: CallOptions = {}) => {
    const answer = await call(server.url, path, options)
    const method = options.method ?? (options.body === undefined ? 'GET' : 'POST')
    documented.check(method, path, answer.status, answer.json)
    return answer
  }
  return {
    store,
    /** Without a token. */
    send,
    get: (path: string) => send(path, { key: TOKEN }),
    post: (path: string, body?: CallOptions['body']) =>
      send(path, { key: TOKEN, method: 'POST', ...(body === undefined ? {} : { body }) }),
    close: async () => {
      await server.drain(100)
      await unreachable.close()
      closeLog()
    },
  }
}
