import type { Database } from '../../../projections/runner/ports.ts'
import type { BreakerState } from '../../platform/circuitBreaker/circuitBreaker.ts'
import type { RunFigures } from './runFigures.ts'

export type GeneratorStatus = 'running' | 'stopped' | 'processing'

/** All that status and metrics tell. */
export type GeneratorFigures = RunFigures & {
  readonly status: GeneratorStatus
  readonly uptimeSeconds: number
  readonly batch: number
  readonly queueSize: number
  readonly breaker: BreakerState
}

/** Who has not been heard of for longer no longer runs it. */
const HEARD_OF_MS = 5_000

/** Told by the process that runs the generator. One that was replaced tells nothing any more. */
export async function tellFigures(
  sql: Pick<Database, 'query'>,
  name: string,
  epoch: number,
  figures: GeneratorFigures,
): Promise<void> {
  await sql.query(
    `insert into platform.generator_figures as f (name, epoch, figures, reported_at)
     values ($1, $2, $3, clock_timestamp())
     on conflict (name) do update
       set epoch = excluded.epoch, figures = excluded.figures, reported_at = excluded.reported_at
       where f.epoch <= excluded.epoch`,
    [name, epoch, JSON.stringify(figures)],
  )
}

/** null: nobody runs it now. */
export async function toldFigures(sql: Pick<Database, 'query'>, name: string): Promise<GeneratorFigures | null> {
  const [row] = await sql.query<{ figures: GeneratorFigures }>(
    `select figures from platform.generator_figures
     where name = $1 and reported_at > clock_timestamp() - $2 * interval '1 ms'`,
    [name, HEARD_OF_MS],
  )
  return row?.figures ?? null
}
