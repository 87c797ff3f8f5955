import { z } from 'zod'
import { anyQuery, route } from '../../../platform/http/route.ts'

export const healthz = route({
  method: 'GET',
  path: '/healthz',
  access: 'public',
  tag: 'Health',
  summary: 'Static target for load balancers: 200 while the process runs',
  query: anyQuery,
  answer: z.object({ status: z.literal('ok') }),
  handle: () => ({ status: 'ok' as const }),
})
