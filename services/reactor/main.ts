import { runService } from '../platform/runService.ts'
import { startReactor } from './reactor.ts'

await runService({
  name: 'reactor',
  requires: ['INTERNAL_TOKEN', 'STRIPE_SECRET_KEY', 'LOG_SIGNING_KEY'],
  start: startReactor,
  operationsPort: 'REACTOR_PORT',
})
