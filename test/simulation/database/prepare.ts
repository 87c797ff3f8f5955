import type { PGlite } from '@electric-sql/pglite'
import { enterRun, leaveRun } from '../scheduler/currentRun.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { DatabaseServer } from './databaseServer.ts'

/** Applies the migrations and creates all read models, through the driver and the product's own code. */
export async function prepareDatabase(pglite: PGlite): Promise<void> {
  const { migrate } = await import('../../../platform/postgres/migrate.ts')
  const { openDatabase } = await import('../../../platform/postgres/database.ts')
  const { prepareProjection } = await import('../../../projections/runner/runner.ts')
  const { PROJECTIONS } = await import('../../../projections/catalogue.ts')
  const scheduler = new Scheduler(0, Date.UTC(2026, 0, 1))
  enterRun(scheduler)
  const server = new DatabaseServer({ pglite, scheduler, delayMs: () => 0 })
  const connecting = { stream: () => server.connect(null), user: 'postgres', database: 'postgres' }
  const database = openDatabase({ url: 'simulated:', connecting })
  const work = async () => {
    const applied = await migrate(database)
    for (const projection of PROJECTIONS) await prepareProjection(database, projection, ['all'])
    await database.close()
    process.stderr.write(`${applied.length} migrations applied, ${PROJECTIONS.length} read models created\n`)
  }
  let isDone = false
  let failure: unknown = null
  work().then(
    () => {
      isDone = true
    },
    (error: unknown) => {
      failure = error
      isDone = true
    },
  )
  await scheduler.runUntil(() => isDone)
  leaveRun()
  if (failure !== null) throw failure
}
