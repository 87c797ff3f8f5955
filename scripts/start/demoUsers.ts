import { streamName } from '../../contracts/streams.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import type { DemoIdentity } from './demoFile.ts'

/**
 * The demo, and the token versions of its users, who may have changed their passwords or signed out everywhere since it
 * was seeded.
 */
export type DemoUsers = DemoIdentity & {
  readonly tokenVersions: ReadonlyMap<string, number>
  /** Signs the admin in once, in a browser on this machine; null if others can reach the installation. */
  readonly signInToken: string | null
}

/** The events that raise the version in the read model of users. */
const TOKENS_END_WITH: ReadonlySet<string> = new Set(['PasswordChanged', 'UserJoined', 'SignedOutEverywhere'])

/** Read from the events: at a start the projector may not have passed them yet. */
export async function tokenVersionsOf(store: TypedEventStore, demo: DemoIdentity): Promise<DemoUsers['tokenVersions']> {
  const tokenVersions = new Map<string, number>()
  for (const userId of [demo.adminId, demo.superAdminId]) {
    let version = 0
    for await (const { type } of store.readStream(streamName('user', userId))) {
      if (TOKENS_END_WITH.has(type)) version++
    }
    tokenVersions.set(userId, version)
  }
  return tokenVersions
}
