import { configuredProviders } from '../platform/providers/configuredProviders.ts'
import { runService } from '../platform/runService.ts'
import { startGateway } from './startGateway.ts'

await runService({
  name: 'gateway',
  admitsCalls: true,
  requires: ['PROVIDERS_FILE', 'INTERNAL_TOKEN'],
  start: (runtime, config) => startGateway(runtime, configuredProviders(config)),
})
