import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import type { TestProject } from 'vitest/node'
import { kafkaVersion } from '../../../scripts/kafka/jars.ts'
import { KafkaUnavailable } from '../../../scripts/kafka/unavailable.ts'
import { endLeftovers } from '../databases/leftovers.ts'
import { reusablePorts } from '../processes/reusablePorts.ts'
import { PATIENCE } from '../time/patience.ts'
import type { EngineOffer } from './engineOffer.ts'
import { openTestKafka } from './kafkaBroker.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: EngineOffer
  }
}

const containerStartMsMax = 120_000 * PATIENCE

let remove: (() => Promise<unknown>) | undefined

/** One Kafka for the whole run: at KAFKA_BROKERS, or started on the machine's Java, or in a container. */
export async function setup(project: TestProject): Promise<void> {
  await endLeftovers(/ kafka\.Kafka (.*)/)
  project.provide('kafka', await offerKafka())
}

export async function teardown(): Promise<void> {
  await remove?.()
}

async function offerKafka(): Promise<EngineOffer> {
  const configured = process.env.KAFKA_BROKERS
  if (configured) return { address: configured }
  try {
    const kafka = await openTestKafka()
    remove = kafka.remove
    return { address: kafka.addresses }
  } catch (error) {
    if (!(error instanceof KafkaUnavailable)) throw error
    if (!(await hasDocker())) return { missing: `${error.message} Nor is there a Docker engine.` }
    return { address: await startContainer() }
  }
}

async function hasDocker(): Promise<boolean> {
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
}

async function startContainer(): Promise<string> {
  const [port = 0] = await reusablePorts(1)
  const address = `127.0.0.1:${port}`
  const container = await new GenericContainer(`apache/kafka:${kafkaVersion}`)
    // Brokers advertise their address to clients, so the port must be known before the start.
    .withExposedPorts({ container: port, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: `BROKER://:${port},CONTROLLER://:9093`,
      KAFKA_ADVERTISED_LISTENERS: `BROKER://${address}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'BROKER',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(containerStartMsMax)
    .start()
  remove = () => container.stop()
  return address
}
