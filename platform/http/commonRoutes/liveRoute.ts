import { z } from 'zod'
import { anyQuery, route } from '../route.ts'

/** `GET /health` of a service that is healthy as long as its process runs. */
export const liveRoute = route({
  method: 'GET',
  path: '/health',
  access: 'public',
  tag: 'Health',
  summary: 'Whether the service is live',
  query: anyQuery,
  answer: z.object({ status: z.literal('healthy') }),
  handle: () => ({ status: 'healthy' as const }),
})
