import { configuredProviders } from '../../capabilities/providers/configuredProviders.ts'
import { runService } from '../../capabilities/runService.ts'
import { startAi } from './ai.ts'

await runService({
  name: 'ai',
  readsModels: true,
  requires: ['PROVIDERS_FILE', 'INTERNAL_TOKEN', 'JWT_SECRET', 'SMTP_URL', 'PUBLIC_URL'],
  start: (runtime, config) => startAi(runtime, configuredProviders(config)),
})
