import { COMMITS_AT_ONCE } from '../eventStore/postgres/groupCommit.ts'

/** What the pool of a process may open. Threads of one process have a pool each. */
export const POOL_CONNECTIONS_MAX = 20
/** What the event store opens besides: one connection for each commit at once, and one that listens. */
export const STORE_CONNECTIONS_MAX = COMMITS_AT_ONCE + 1
/** Commands beside the services, each with the connections of a process and those of its threads. */
const COMMANDS_AT_ONCE = 2
/** Kept by the server for superusers, and the session by which a start owns the server. */
const RESERVED_CONNECTIONS = 4

/** The connections that a server must allow so that so many processes, or threads with engines of their own, never lack one. */
export function connectionsFor(processes: number): number {
  return (processes + COMMANDS_AT_ONCE) * (POOL_CONNECTIONS_MAX + STORE_CONNECTIONS_MAX) + RESERVED_CONNECTIONS
}
