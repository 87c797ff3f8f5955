import { storeFeed } from '../../../platform/feed/storeFeed.ts'
import { feedContract } from '../../contract/feed.ts'
import { withoutUpcasting } from '../../support/eventStores/withoutUpcasting.ts'
import { Counters } from '../counters.ts'
import { FaultPlan } from '../faults/faultPlan.ts'
import { Random } from '../scheduler/random.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { simulatedFeed } from './simulatedFeed.ts'
import { SimulatedStore } from './simulatedStore.ts'

const SEED = 1
const PARTITIONS = 3

function startStore() {
  const scheduler = new Scheduler(SEED, 0)
  const parts = { scheduler, faults: new FaultPlan(SEED), random: new Random(SEED), counters: new Counters() }
  const store = new SimulatedStore({ ...parts, clockMs: () => scheduler.nowMs, idsAreUnique: true })
  let isClosed = false
  // Something is always scheduled, so that the simulated time goes on while the test waits.
  const tick = () => void scheduler.schedule({ owner: null, label: 'tick', delayMs: 1 }, tick)
  tick()
  const running = scheduler.runUntil(() => isClosed)
  const close = async () => {
    isClosed = true
    await running
  }
  return { store, append: store.append.bind(store), close }
}

feedContract('the simulated feed of several partitions', async () => {
  const { store, append, close } = startStore()
  return { feed: simulatedFeed(store, PARTITIONS), append: (stream, events) => append(stream, 'any', events), close }
})

feedContract('the feed straight from the simulated store', async () => {
  const { store, append, close } = startStore()
  const feed = storeFeed(withoutUpcasting(store))
  return { feed, append: (stream, events) => append(stream, 'any', events), close }
})
