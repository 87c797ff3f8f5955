import { Counter } from 'prom-client'
import { DocumentFiles } from '../../../capabilities/documents/documentFiles.ts'
import { DocumentReader, type ReaderLimits } from '../../../capabilities/documents/documentReader.ts'
import type { Runtime } from '../../../capabilities/installation.ts'
import { Mailer, senderOf } from '../../../capabilities/mail/mailer.ts'
import { webhookRules } from '../../../capabilities/webhooks/endpointUrl.ts'
import { WebhookClient } from '../../../capabilities/webhooks/webhookClient.ts'
import { webhookSecretsOf } from '../../../capabilities/webhooks/webhookSecrets.ts'
import { scoreOfPair } from '../../../projections/matchScores/queries.ts'
import { carrierOf } from '../../../projections/runner/carrier.ts'
import type { BackgroundWorker } from '../backgroundWorker.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import { cvWorker, jobDocumentWorker } from './documents/documentWorkers.ts'
import { emailWorker } from './email/emailWorker.ts'
import { meetingWorker } from './meetingWorker.ts'
import { categoriesReadBy } from './taskIntake.ts'
import { registerTaskMetrics } from './taskMetrics.ts'
import { enrolment } from './webhooks/enrolDeliveries.ts'
import { WEBHOOK_RUNNER_LIMITS, webhookWorker } from './webhooks/webhookWorker.ts'
import { type RunnerLimits, WorkerRunner } from './workerRunner.ts'

export type RunningWorkers = {
  readonly workers: readonly BackgroundWorker[]
  drain(timeoutMs: number): Promise<void>
}

export type WorkerLimits = Partial<RunnerLimits> & { readonly documents?: Partial<ReaderLimits> }

/** Starts every worker of the AI service, each with its own task queue. */
export function startWorkers(
  { config, secrets, engines, clock, ids, log, metrics, tracing, network }: Runtime,
  models: BackgroundModels,
  { documents: readerLimits, ...limits }: WorkerLimits = {},
): RunningWorkers {
  const { database, personal } = engines
  const mailer = new Mailer({ url: config.SMTP_URL ?? '', from: senderOf(config), connect: network?.connect })
  const reader = new DocumentReader(clock, readerLimits)
  const documents = { engines, models, clock, reader, files: new DocumentFiles(database, personal) }
  const outcomes = new Counter({
    name: 'tollgate_worker_tasks_total',
    help: 'Attempts of tasks, by worker and outcome: done, failed, parked, not_now',
    labelNames: ['worker', 'outcome'],
    registers: [metrics],
  })
  const workers = [
    emailWorker({ engines, mailer, clock, links: { publicUrl: config.PUBLIC_URL ?? '', secret: secrets.jwtSecret } }),
    cvWorker(documents),
    jobDocumentWorker(documents),
    meetingWorker({
      engines,
      models,
      clock,
      ids,
      scoreOf: (jobId, talentId) => scoreOfPair(database, jobId, talentId),
    }),
    webhookWorker({
      engines,
      client: new WebhookClient({ clock, rules: webhookRules(config), ...network }),
      secrets: webhookSecretsOf(config, secrets),
      clock,
      log,
    }),
  ]
  const enrolling = enrolment({ engines, clock, ids })
  const carrier = carrierOf(
    'workers',
    workers.map((worker) => ({ name: worker.name, categories: categoriesReadBy(worker) })),
  )
  const runners = workers.map((worker) => {
    const onOutcome = (outcome: string) => outcomes.inc({ worker: worker.name, outcome })
    const own = worker.name === 'webhook_worker' ? WEBHOOK_RUNNER_LIMITS : {}
    const parts = { worker, engines, carrier, clock, log, tracing, enrolment: enrolling, onOutcome }
    return new WorkerRunner({ ...parts, limits: { ...limits, ...own } })
  })
  registerTaskMetrics(
    metrics,
    runners.map(({ name }) => name),
    { database, clock },
  )
  for (const runner of runners) runner.start()
  return {
    workers: runners.map((runner) => ({
      name: runner.name,
      health: () => ({ status: runner.status, isActive: runner.active > 0 }),
    })),
    drain: async (timeoutMs) => {
      await Promise.all(runners.map((runner) => runner.drain(timeoutMs)))
      await reader.close()
      mailer.close()
    },
  }
}
