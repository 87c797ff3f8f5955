import type { BreakerState } from '../../platform/circuitBreaker/circuitBreaker.ts'
import type { Database } from '../../projections/runner/ports.ts'
import type { RunFigures } from './runFigures.ts'

export type GeneratorStatus = 'running' | 'stopped' | 'processing'

/** What the status and metrics routes show. */
export type GeneratorFigures = RunFigures & {
  readonly status: GeneratorStatus
  readonly uptimeSeconds: number
  readonly batch: number
  readonly queueSize: number
  readonly breaker: BreakerState
}

/** Older figures are ignored: the process that published them no longer runs the generator. */
const FIGURES_VALID_MS = 5_000

/** Called by the process that runs the generator. Figures of a replaced process, with a lower epoch, are dropped. */
export async function publishFigures(
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

/** null if no process is running the generator. */
export async function readPublishedFigures(
  sql: Pick<Database, 'query'>,
  name: string,
): Promise<GeneratorFigures | null> {
  const [row] = await sql.query<{ figures: GeneratorFigures }>(
    `select figures from platform.generator_figures
     where name = $1 and reported_at > clock_timestamp() - $2 * interval '1 ms'`,
    [name, FIGURES_VALID_MS],
  )
  return row?.figures ?? null
}
