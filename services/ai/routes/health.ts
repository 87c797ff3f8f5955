import { z } from 'zod'
import { route } from '../../../platform/http/route.ts'

export const health = route({
  method: 'GET',
  path: '/health',
  access: 'public',
  tag: 'Health',
  summary: 'Whether the service is live',
  answer: z.object({ status: z.literal('healthy') }),
  handle: () => ({ status: 'healthy' as const }),
})
