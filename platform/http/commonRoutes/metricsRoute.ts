import type { Metrics } from '../../metrics/metrics.ts'
import { Reply } from '../answer/reply.ts'
import { anyQuery, route } from '../route.ts'

/** `GET /metrics`, the same for every service. */
export function metricsRoute(metrics: Metrics) {
  return route({
    method: 'GET',
    path: '/metrics',
    access: 'internal',
    tag: 'Monitoring',
    summary: "This process's metrics in the Prometheus text format",
    query: anyQuery,
    otherAnswers: { 'text/plain': { schema: { type: 'string' } } },
    handle: async () => new Reply(200, metrics.contentType, await metrics.metrics()),
  })
}
