import { streamName } from '../../../contracts/streams.ts'
import { userDecider } from '../../../domain/user/decider.ts'
import type { TypedEventStore } from '../eventStore/port.ts'
import { deterministicId } from './eventId.ts'

/**
 * The id for who registers an address. It derives from it, so that of two who register the same one at the same time one
 * is refused; whoever had it before and was erased stays erased, under the id that they had.
 */
export async function newUserId(store: TypedEventStore, emailLookup: string): Promise<string> {
  for (let predecessors = 0; ; predecessors++) {
    const userId = deterministicId(`user:${emailLookup}${predecessors === 0 ? '' : `:${predecessors}`}`)
    let state = userDecider.initialState()
    for await (const event of store.readStream(streamName('user', userId))) {
      state = userDecider.evolve(state, event)
    }
    if (state.status !== 'erased') return userId
  }
}
