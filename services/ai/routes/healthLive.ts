import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'

export const healthLive = route({
  method: 'GET',
  path: '/health/live',
  access: 'public',
  tag: 'Health',
  summary: 'Static liveness probe: 200 while the process runs',
  answer: z.object({ status: z.literal('alive') }),
  handle: () => ({ status: 'alive' as const }),
})
