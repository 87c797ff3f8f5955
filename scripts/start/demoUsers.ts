import { streamName } from '../../contracts/streams.ts'
import { evolve, userDecider } from '../../domain/user/decider.ts'
import type { TypedEventStore } from '../../services/platform/eventStore/port.ts'
import type { DemoIdentity } from './demoFile.ts'

/** The demo, and the token versions of its users, which may have changed their passwords since it was seeded. */
export type DemoUsers = DemoIdentity & { readonly tokenVersions: ReadonlyMap<string, number> }

export async function demoUsersOf(store: TypedEventStore, demo: DemoIdentity): Promise<DemoUsers> {
  const tokenVersions = new Map<string, number>()
  for (const userId of [demo.adminId, demo.superAdminId]) {
    let state = userDecider.initialState()
    for await (const event of store.readStream(streamName('user', userId))) state = evolve(state, event)
    if (state.status === 'registered') tokenVersions.set(userId, state.tokenVersion)
  }
  return { ...demo, tokenVersions }
}
