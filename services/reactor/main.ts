import { runService } from '../../capabilities/runService.ts'
import { openSigningKeys } from '../../capabilities/transparency/signingKeys.ts'
import { startReactor } from './reactor.ts'
import { startSealer } from './sealer/sealer.ts'

await runService({
  name: 'reactor',
  readsModels: true,
  requires: ['INTERNAL_TOKEN', 'STRIPE_SECRET_KEY', 'LOG_SIGNING_KEY'],
  start: async (runtime, config) => {
    const keys = await openSigningKeys(config)
    const reactor = await startReactor(runtime)
    const sealer = startSealer({ ...runtime, keys })
    return {
      ...reactor,
      drain: async (timeoutMs) => {
        await Promise.all([reactor.drain(timeoutMs), sealer.drain(timeoutMs)])
      },
    }
  },
  operationsPort: 'REACTOR_PORT',
})
