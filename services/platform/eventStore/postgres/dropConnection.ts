import type pg from 'pg'

/** Ends a connection at once, without the goodbye that a dead server never answers. What waits on it fails. */
export function dropConnection(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
