import { Counters } from '../counters.ts'
import { FaultPlan } from '../faults/faultPlan.ts'
import { Random } from '../scheduler/random.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { SimulatedStore } from './simulatedStore.ts'

const SEED = 1

/** A store without faults whose simulated time goes on by itself, for tests. */
export function startStore() {
  const scheduler = new Scheduler(SEED, 0)
  const parts = { scheduler, faults: new FaultPlan(SEED), random: new Random(SEED), counters: new Counters() }
  const store = new SimulatedStore({ ...parts, clockMs: () => Date.now(), idsAreUnique: true })
  let isClosed = false
  // Something is always scheduled, so that the simulated time goes on while the test waits.
  const tick = () => void scheduler.schedule({ owner: null, label: 'tick', delayMs: 1 }, tick)
  tick()
  const running = scheduler.runUntil(() => isClosed)
  const close = async () => {
    isClosed = true
    await running
  }
  return { store, close }
}
