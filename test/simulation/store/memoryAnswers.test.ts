import { answersContract } from '../../contract/answers.ts'
import { Counters } from '../counters.ts'
import { MemoryAnswers } from './memoryAnswers.ts'

answersContract('the answer store in memory', async () => {
  // Time passes between any two statements, so that a renewal changes the lease.
  let nowMs = Date.UTC(2026, 2, 1, 12)
  const store = new MemoryAnswers(() => nowMs++, new Counters())
  return {
    store,
    endLease: async (scope, agoMs) => Object.assign(store.claims.get(scope) ?? {}, { leasedToMs: nowMs - agoMs }),
    leaseLeftMs: async (scope) => (store.claims.get(scope)?.leasedToMs ?? nowMs) - nowMs,
    close: async () => {},
  }
})
