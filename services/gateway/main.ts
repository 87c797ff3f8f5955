import { configuredProviders } from '../../capabilities/providers/configuredProviders.ts'
import { runService } from '../../capabilities/runService.ts'
import { startGateway } from './startGateway.ts'

// SIGHUP makes a running gateway reload its providers; it must not end a gateway that starts or drains.
process.on('SIGHUP', () => {})

await runService({
  name: 'gateway',
  admitsCalls: true,
  readsModels: true,
  requires: ['PROVIDERS_FILE', 'INTERNAL_TOKEN'],
  start: (runtime, config) => startGateway(runtime, configuredProviders(config)),
})
