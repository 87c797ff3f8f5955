import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, type TestContext } from 'vitest'
import { findJava, type KafkaCluster, startKafka } from '../../../scripts/kafka/cluster.ts'
import { kafkaJars } from '../../../scripts/kafka/jars.ts'
import { KafkaUnavailable } from '../../../scripts/kafka/unavailable.ts'
import { onAbruptExit } from '../processes/exitSteps.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { takeEngine, withoutEngine } from './engineOffer.ts'

export type TestKafka = KafkaCluster & {
  /** Ends every broker and deletes its data. */
  remove(): Promise<void>
}

export type TestKafkaOptions = {
  readonly brokers?: number
  readonly heapMb?: number
  /** JVM options of each broker; the defaults make it start fast. A benchmark passes []. */
  readonly javaArgs?: readonly string[]
  /** Additional broker settings. */
  readonly settings?: Readonly<Record<string, string>>
}

// A killed broker's id can be used again after this time.
const quickSettings = { 'broker.session.timeout.ms': '3000', 'broker.heartbeat.interval.ms': '500' }
// Half of the start-up time goes into JIT compilation that a short-lived process never recoups.
const quickJava = ['-XX:TieredStopAtLevel=1']

/**
 * `KAFKA_BROKERS` of the broker that the whole run shares: for tests that leave it running. They give their topics and
 * groups names that no other test has.
 */
export function sharedKafka(context: TestContext): string {
  return takeEngine(context, inject('kafka'))
}

/** For tests that need Kafka on the machine's own Java, not in a container. */
export async function requireLocalKafka(context: TestContext): Promise<void> {
  await findJava()
    .then(() => kafkaJars())
    .catch((error: unknown) => skipWithout(context, error))
}

/** Brokers for one test, which it can stop, kill and restart: see `brokers` of the result. */
export async function startTestKafka(context: TestContext, options: TestKafkaOptions = {}): Promise<TestKafka> {
  return openTestKafka(options).catch((error: unknown) => skipWithout(context, error))
}

function skipWithout(context: TestContext, error: unknown): never {
  if (error instanceof KafkaUnavailable) withoutEngine(context, { missing: error.message })
  throw error
}

/** The same without a test context, for beforeAll, set-ups and the soak. */
export async function openTestKafka(options: TestKafkaOptions = {}): Promise<TestKafka> {
  const { brokers = 1, heapMb, javaArgs = quickJava, settings = {} } = options
  // If this run is killed, the set-up of a later run recognises this name and cleans up.
  const dataDir = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  const removeFolder = () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  try {
    const ports = (count: number) => reusablePorts(2 * count)
    const cluster = await startKafka({
      dataDir,
      brokers,
      ports,
      heapMb,
      javaArgs,
      settings: { ...quickSettings, ...settings },
    })
    const callOff = onAbruptExit(cluster.abandon)
    const remove = async () => {
      await cluster.kill()
      callOff()
      await removeFolder()
    }
    return { ...cluster, remove }
  } catch (error) {
    await removeFolder()
    throw error
  }
}
