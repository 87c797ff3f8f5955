import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Runtime } from '../../../capabilities/installation.ts'
import { openInstallation } from '../../../capabilities/installation.ts'
import type { DomainEvent } from '../../../contracts/envelope.ts'
import type { StreamName } from '../../../contracts/streams.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { POOL_CONNECTIONS_MAX } from '../../../platform/postgres/connectionLimits.ts'
import type { RunningService } from '../../../platform/service.ts'
import type { Worker } from '../../../services/ai/workers/worker.ts'
import type { RunnerLimits, WorkerRunnerOptions } from '../../../services/ai/workers/workerRunner.ts'
import { WorkerRunner } from '../../../services/ai/workers/workerRunner.ts'
import { prepareReadModels, startProjector } from '../../../services/projector/projector.ts'
import { createTestDatabase } from '../databases/database.ts'
import { patientDatabase } from '../databases/patientDatabase.ts'
import { anEventOf } from '../events/history.ts'
import { steppedClock } from '../time/steppedClock.ts'

export const NOW = Date.UTC(2026, 2, 1, 10)

export type WorkerRunnerHarness = Awaited<ReturnType<typeof openWorkerRunnerHarness>>

/** Embedded engines, and runners of workers on them. Tasks fall due by a clock that the test moves. */
export async function openWorkerRunnerHarness({ connectionsMax = POOL_CONNECTIONS_MAX } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-workers-'))
  const own = await createTestDatabase('with read models')
  const config = readConfig({ DATA_DIR: folder })
  const { log, close: closeLog } = openLog({ level: 'silent', file: join(folder, 'workers.log') })
  const clock = steppedClock(NOW)
  const database = patientDatabase({ url: own.url, connectionsMax })
  const engines = await openInstallation(config, database, { clock, ids: systemIds, log })
  const runners = new Set<WorkerRunner>()
  const projectors = new Set<RunningService>()
  return {
    engines,
    clock,
    log,
    append: async (stream: StreamName, ...events: DomainEvent[]) =>
      engines.store.append(
        stream,
        'any',
        await Promise.all(events.map((event) => engines.personal.protect(anEventOf(event, randomUUID())))),
      ),
    run: (worker: Worker, limits: Partial<RunnerLimits> = {}, changes: Partial<WorkerRunnerOptions> = {}) => {
      const runner = new WorkerRunner({
        worker,
        engines,
        clock,
        log,
        limits: { pollMs: 20, dueEveryMs: 50, ...limits },
        ...changes,
      })
      runners.add(runner)
      runner.start()
      return runner
    },
    startProjector: async () => {
      const runtime = { config, engines, clock, log, metrics: createMetrics() } as unknown as Runtime
      await prepareReadModels(runtime)
      projectors.add(await startProjector(runtime))
    },
    /** Lets the lease expire, as if its process had died. */
    expireLeases: () => engines.database.query('update platform.tasks set leased_until = clock_timestamp()'),
    close: async () => {
      for (const runner of runners) await runner.drain(0)
      for (const projector of projectors) await projector.drain(0)
      await engines.close()
      closeLog()
      await own.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
