import { runService } from '../../capabilities/runService.ts'
import { startBackend } from './backend.ts'

await runService({
  name: 'backend',
  readsModels: true,
  requires: ['JWT_SECRET', 'INTERNAL_TOKEN', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'LOG_SIGNING_KEY'],
  start: (runtime) => startBackend(runtime),
})
