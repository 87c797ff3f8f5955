import type { Clock } from '../../clock/clock.ts'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embeddedPostgres.ts'

export type SupervisedPostgres = {
  /** Never changes: a restarted server has the port of the first one, so that connection pools find it again. */
  readonly url: string
  /** The process of the current server. */
  readonly pid: number
  stop(): Promise<void>
}

export type SupervisionOptions = Omit<EmbeddedPostgresOptions, 'port'> & {
  readonly clock: Clock
  /** Called with a line for the operator when the server ends, cannot be restarted, or is back. */
  report(line: string): void
}

const RESTART_MS = { first: 250, max: 10_000 }
/** A server that ran for this long did not fail because of its start. */
const STEADY_MS = 60_000

/**
 * Starts the embedded PostgreSQL and restarts it whenever it ends: killed, out of memory, or on a full disk. It is
 * restarted for ever, with growing delays, because space and memory can be freed. A server that restarted itself after
 * one of its processes died is claimed again; otherwise a second start could take it over.
 */
export async function startSupervisedPostgres(supervision: SupervisionOptions): Promise<SupervisedPostgres> {
  const { clock, report, ...options } = supervision
  const first = await startEmbeddedPostgres(options)
  const stopping = new AbortController()
  const { signal } = stopping
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  let server = first

  async function supervise(): Promise<void> {
    let startedAt = clock.monotonicMs()
    let failures = 0
    for (;;) {
      await Promise.race([server.lost, aborted])
      if (signal.aborted) return
      const lostAt = clock.monotonicMs()
      if (lostAt - startedAt > STEADY_MS) failures = 0
      let event = `the embedded PostgreSQL (process ${server.pid}) has ended`
      for (let restarted: EmbeddedPostgres | null = null; restarted === null; ) {
        const delayMs = Math.min(RESTART_MS.first * 2 ** Math.min(failures, 10), RESTART_MS.max)
        failures += 1
        report(`${event}; next start in ${delayMs / 1000} s`)
        await clock.delay(delayMs, signal)
        if (signal.aborted) return
        restarted = await restart().catch((error: Error) => {
          event = `the embedded PostgreSQL did not start again: ${error.message}`
          return null
        })
        if (signal.aborted) {
          await restarted?.stop()
          return
        }
        if (restarted) server = restarted
      }
      startedAt = clock.monotonicMs()
      const seconds = Math.round((startedAt - lostAt) / 100) / 10
      report(`the embedded PostgreSQL is back after ${seconds} s (process ${server.pid})`)
    }
  }

  function restart(): Promise<EmbeddedPostgres> {
    return startEmbeddedPostgres({ ...options, port: Number(new URL(first.url).port), signal })
  }

  const supervising = supervise()
  return {
    url: first.url,
    get pid() {
      return server.pid
    },
    stop: async () => {
      stopping.abort()
      // Comes first, because a running restart may still replace the server.
      await supervising
      await server.stop()
    },
  }
}
