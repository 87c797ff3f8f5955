import type { Clock } from '../../clock/clock.ts'

type Queryable = { query(text: string): Promise<{ rows: { ms: string }[] }> }

/**
 * The clock of a database server, as seen over one connection. Deadlines use it, because the clocks of two machines
 * differ, and a relative deadline would only start when a stopped server reads it. The time of the answer is taken as
 * the time of the reading, so a deadline is too early by at most one round trip, and never too late. If the server's
 * clock is then set forward, appends are late, and the writer opens a new connection.
 */
export class DatabaseClock {
  readonly #clock: Clock
  /** The server's time minus this process's monotonic time. */
  readonly #offsetMs: number

  private constructor(clock: Clock, offsetMs: number) {
    this.#clock = clock
    this.#offsetMs = offsetMs
  }

  static async read(connection: Queryable, clock: Clock): Promise<DatabaseClock> {
    const { rows } = await connection.query('select extract(epoch from clock_timestamp()) * 1000 as ms')
    return new DatabaseClock(clock, Number(rows[0]?.ms) - clock.monotonicMs())
  }

  /** The server's time in this many milliseconds, in ISO 8601. */
  after(ms: number): string {
    return new Date(this.#offsetMs + this.#clock.monotonicMs() + ms).toISOString()
  }
}
