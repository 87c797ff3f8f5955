import { eventStoreContract } from '../../contract/eventStore.ts'
import { startStore } from './startStore.ts'

eventStoreContract(
  'the simulated event store',
  async () => {
    const { store, close } = startStore()
    return { open: () => store, cutMidAppend: () => Promise.reject(new Error('there is no connection')), close }
  },
  { hasConnections: false },
)
