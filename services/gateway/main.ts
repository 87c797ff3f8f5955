import { configuredProviders } from '../platform/providers/configuredProviders.ts'
import { runService } from '../platform/runService.ts'
import { startGateway } from './startGateway.ts'

// A hang-up asks the running gateway to read its providers anew; it must not end one that starts or drains.
process.on('SIGHUP', () => {})

await runService({
  name: 'gateway',
  admitsCalls: true,
  requires: ['PROVIDERS_FILE', 'INTERNAL_TOKEN'],
  start: (runtime, config) => startGateway(runtime, configuredProviders(config)),
})
