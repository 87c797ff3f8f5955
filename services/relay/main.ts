import { runService } from '../../capabilities/runService.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { startRelay } from './relay.ts'

await runService({
  name: 'relay',
  requires: ['INTERNAL_TOKEN'],
  start: async (runtime, { KAFKA_BROKERS }) => {
    if (KAFKA_BROKERS === undefined) {
      throw new SettingError('KAFKA_BROKERS is not set: without Kafka there is nothing to relay to')
    }
    const { database, storeAsWritten: store } = runtime.engines
    return startRelay({ ...runtime, database, store, brokers: KAFKA_BROKERS.split(',') })
  },
  operationsPort: 'RELAY_PORT',
})
