import { runService } from '../../capabilities/runService.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { startSandbox } from './sandbox.ts'

await runService({
  name: 'sandbox',
  requires: [],
  start: (runtime, config) => {
    if (!config.sandbox)
      throw new SettingError('SANDBOX is not 1: the sandbox must never answer in place of real providers')
    return startSandbox(runtime)
  },
})
