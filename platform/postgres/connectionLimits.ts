import { COMMITS_AT_ONCE } from '../eventStore/postgres/groupCommit.ts'

/** How many connections the pool of a process may open. Each thread of a process has its own pool. */
export const POOL_CONNECTIONS_MAX = 20
/** Additional connections of the event store: one for each concurrent commit, and one that listens. */
export const STORE_CONNECTIONS_MAX = COMMITS_AT_ONCE + 1
/**
 * How long a service waits for the answer to a statement: longer than any of those takes that are not marked as long. Then
 * the connection counts as dead, and the service tries again over another one.
 */
export const SERVICE_ANSWER_MS_MAX = 30_000
/** Commands that run alongside the services, each with the connections of a process and its threads. */
const COMMANDS_AT_ONCE = 2
/** Reserved by the server for superusers, plus the session by which a start owns the server. */
const RESERVED_CONNECTIONS = 4

/** How many connections a server must allow for this many processes, or threads with their own engines. */
export function connectionsFor(processes: number): number {
  return (processes + COMMANDS_AT_ONCE) * (POOL_CONNECTIONS_MAX + STORE_CONNECTIONS_MAX) + RESERVED_CONNECTIONS
}
