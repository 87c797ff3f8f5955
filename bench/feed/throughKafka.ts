import { setTimeout as delay } from 'node:timers/promises'
import type { Engines } from '../../platform/engines.ts'
import { readRelayStatus } from '../../platform/feed/relayProgress.ts'
import { type Figure, median, ratioFigure } from '../figure.ts'
import { appendBacklog, drain, requireAllRows, selectRate } from './backlog.ts'
import { companiesOn } from './companies.ts'
import { type KafkaInstallation, withKafkaInstallation } from './kafkaInstallation.ts'
import { type Lags, measureBareAppends, measureLags } from './lag.ts'
import { lagFigures } from './lagFigures.ts'

const ROUNDS = 3
const LAG_P99_MS_MAX = 1_000
const LOOK_EVERY_MS = 20
const PUBLISHING_MS_MAX = 120_000

/** Measures the path from the store through the relay, a real Kafka and projectors to rows. */
export function benchThroughKafka(): Promise<Figure[]> {
  return withKafkaInstallation(async (installation) => {
    const { engines } = installation
    process.stderr.write('  lag…\n')
    const bareAppends = await measureBareAppends(engines)
    const lags = await lagThroughKafka(installation)
    const whole: number[] = []
    const onePartition = { oneProjector: [] as number[], twoProjectors: [] as number[] }
    const fourPartitions = { oneProjector: [] as number[], twoProjectors: [] as number[] }
    const selects: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      process.stderr.write(`  backlogs, round ${round} of ${ROUNDS}…\n`)
      whole.push(await drainAll(installation))
      selects.push(await selectRate(engines))
      onePartition.oneProjector.push(await drainTopic(installation, 1, 1))
      fourPartitions.oneProjector.push(await drainTopic(installation, 4, 1))
      onePartition.twoProjectors.push(await drainTopic(installation, 1, 2))
      fourPartitions.twoProjectors.push(await drainTopic(installation, 4, 2))
    }
    await requireAllRows(engines)
    const select = median(selects)
    const growth = (projectors: string, four: readonly number[], one: readonly number[]) =>
      ratioFigure(`growth from 1 to 4 partitions, ${projectors}`, 'events/s', median(four), median(one))
    return [
      ...lagFigures('through Kafka', bareAppends, lags, LAG_P99_MS_MAX),
      ratioFigure('backlog to rows, relay and Kafka', 'events/s', median(whole), select),
      ratioFigure('topic to rows, 4 partitions', 'events/s', median(fourPartitions.oneProjector), select),
      growth('one projector', fourPartitions.oneProjector, onePartition.oneProjector),
      growth('two projectors', fourPartitions.twoProjectors, onePartition.twoProjectors),
    ]
  })
}

async function lagThroughKafka({ engines, startRelay, startProjector }: KafkaInstallation): Promise<Lags> {
  const relay = await startRelay()
  const projector = await startProjector()
  const lags = await measureLags(engines)
  await projector.stop()
  await relay.stop()
  return lags
}

/** The projector waits for the relay, which finds the whole backlog in the store. */
async function drainAll({ engines, startRelay, startProjector }: KafkaInstallation): Promise<number> {
  const projector = await startProjector()
  const rate = await drain(await appendBacklog(engines, companiesOn(4)), startRelay)
  await projector.stop()
  return rate
}

/** The relay has published all of the backlog before the first projector starts. */
async function drainTopic(
  { engines, startRelay, startProjectors }: KafkaInstallation,
  partitions: number,
  projectors: number,
): Promise<number> {
  const relay = await startRelay()
  const backlog = await appendBacklog(engines, companiesOn(partitions))
  await published(engines)
  const rate = await drain(backlog, () => startProjectors(projectors))
  await relay.stop()
  return rate
}

async function published({ database, store }: Engines): Promise<void> {
  const head = await store.head()
  const endMs = performance.now() + PUBLISHING_MS_MAX
  for (;;) {
    const { position } = await readRelayStatus(database)
    if (position >= head) return
    if (performance.now() > endMs) throw new Error(`the relay is at ${position}, and the store at ${head}`)
    await delay(LOOK_EVERY_MS)
  }
}
