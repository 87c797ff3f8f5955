import { sendJson } from '../platform/http/answers.ts'
import { listen } from '../platform/http/httpServer.ts'
import { metricsRoute, serviceHandler } from '../platform/http/serviceRoutes.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { chatCompletions } from './modelProvider/chatCompletions.ts'
import { completions } from './modelProvider/completions.ts'
import { embeddings } from './modelProvider/embeddings.ts'

/** Stands in for outside parties at the wire: the gateway reaches it as it would reach a real provider. */
export async function startSandbox({
  config,
  secrets,
  clock,
  log,
  metrics,
}: Omit<Runtime, 'engines'>): Promise<RunningService> {
  const handler = serviceHandler(
    {
      'GET /health': {
        access: 'public',
        handle: (_request, response) => sendJson(response, 200, { status: 'healthy' }),
      },
      'POST /v1/chat/completions': {
        access: 'public',
        handle: (request, response) => chatCompletions(request, response, clock.now()),
      },
      'POST /v1/completions': {
        access: 'public',
        handle: (request, response) => completions(request, response, clock.now()),
      },
      'POST /v1/embeddings': { access: 'public', handle: embeddings },
      'GET /metrics': metricsRoute(metrics),
    },
    secrets.internalToken,
    log,
  )
  const server = await listen({ handler, host: config.HOST, port: config.SANDBOX_PORT, portSetting: 'SANDBOX_PORT' })
  return { name: 'sandbox', url: server.url, drain: server.drain }
}
