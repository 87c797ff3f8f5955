import { streamName } from '../../contracts/streams.ts'
import { userDecider } from '../../domain/user/decider.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { deterministicId } from './eventId.ts'

/**
 * The id for a new user with this address. It is derived from the address, so that one of two concurrent registrations
 * is refused. An erased user of the same address stays erased under the old id.
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
