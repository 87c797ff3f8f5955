import { type Admin, Kafka, type Message } from 'kafkajs'
import { CATEGORIES, type Category } from '../../contracts/streams.ts'
import { type OutgoingMessage, PARTITION_COUNTS, partitionName, TOPICS, topicName } from '../../contracts/topics.ts'
import { SettingError } from '../config/settingError.ts'
import { connectionSettings, KAFKA_REQUEST_MS, type KafkaAddress } from './kafkaConnection.ts'
import { headersOf } from './topicMessages.ts'

/** The most messages in one request to Kafka, and the most bytes for one partition. */
const RELAY_REQUEST_MESSAGES_MAX = 2_000
const RELAY_REQUEST_BYTES_MAX = 768 * 1024

/** The relay's side of the topics. */
export interface Publisher {
  /** Creates the missing topics. Throws a SettingError for a topic with a wrong number of partitions. */
  prepareTopics(): Promise<void>
  /** Resolves when all in-sync replicas have all messages. If it throws, some of them may have been written. */
  send(messages: readonly OutgoingMessage[]): Promise<void>
  close(): Promise<void>
}

/**
 * Uses the idempotent producer: its own retries are stored once and in order. It guarantees nothing across restarts,
 * which is enough, because consumers drop repeated messages by their position.
 */
export function kafkaPublisher(address: KafkaAddress & { readonly feedId: string }): Publisher {
  const kafka = new Kafka(connectionSettings(address))
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  })
  const topicOf = (category: Category) => topicName(address.feedId, category)
  let isConnected = false
  return {
    prepareTopics: async () => {
      const admin = kafka.admin()
      try {
        await admin.connect()
        await createMissing(admin, topicOf, address.brokers.length)
        await requireCounts(admin, topicOf)
      } finally {
        await admin.disconnect().catch(() => {})
      }
    },
    send: async (messages) => {
      if (!isConnected) await producer.connect()
      isConnected = true
      for (const request of requestsOf(messages)) {
        await producer.sendBatch({ topicMessages: byTopic(request, topicOf), timeout: KAFKA_REQUEST_MS })
      }
    },
    close: () => producer.disconnect(),
  }
}

type TopicOf = (category: Category) => string

async function createMissing(admin: Admin, topicOf: TopicOf, brokersNamed: number): Promise<void> {
  const existing = new Set(await admin.listTopics())
  const missing = CATEGORIES.filter((category) => !existing.has(topicOf(category)))
  if (missing.length === 0) return
  const { brokers } = await admin.describeCluster()
  const replicationFactor = Math.min(TOPICS.replicasMax, Math.max(brokers.length, brokersNamed))
  if (replicationFactor > brokers.length) {
    // A topic created while a broker is down would have too few replicas for ever.
    throw new Error(
      `KAFKA_BROKERS names ${brokersNamed} brokers, but only ${brokers.length} are up: topics are created when all are`,
    )
  }
  await admin.createTopics({
    waitForLeaders: true,
    timeout: KAFKA_REQUEST_MS,
    topics: missing.map((category) => ({
      topic: topicOf(category),
      numPartitions: PARTITION_COUNTS[category],
      replicationFactor,
      configEntries: [
        { name: 'cleanup.policy', value: 'delete' },
        { name: 'retention.ms', value: String(TOPICS.retentionMs) },
        { name: 'max.message.bytes', value: String(TOPICS.messageBytesMax) },
      ],
    })),
  })
}

async function requireCounts(admin: Admin, topicOf: TopicOf): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: CATEGORIES.map(topicOf) })
  for (const category of CATEGORIES) {
    const found = topics.find(({ name }) => name === topicOf(category))?.partitions.length ?? 0
    const wanted = PARTITION_COUNTS[category]
    if (found === wanted) continue
    throw new SettingError(
      `KAFKA_BROKERS: topic ${topicOf(category)} has ${found} partitions instead of ${wanted}, which cannot be changed: ` +
        'delete the topic and start again; it is recreated, and its events are in the event store',
    )
  }
}

/** Splits the messages in order, because Kafka limits the size of a request for each partition. */
function* requestsOf(messages: readonly OutgoingMessage[]): Generator<Encoded[]> {
  let request: Encoded[] = []
  const bytesOf = new Map<string, number>()
  for (const message of messages) {
    const encoded = encode(message)
    const partition = partitionName(message)
    const bytes = (bytesOf.get(partition) ?? 0) + encoded.bytes
    const isFull = bytes > RELAY_REQUEST_BYTES_MAX || request.length === RELAY_REQUEST_MESSAGES_MAX
    if (isFull && request.length > 0) {
      yield request
      request = []
      bytesOf.clear()
    }
    bytesOf.set(partition, (bytesOf.get(partition) ?? 0) + encoded.bytes)
    request.push(encoded)
  }
  if (request.length > 0) yield request
}

type Encoded = { readonly category: Category; readonly bytes: number; readonly message: Message }

/** The approximate size of a record without its value: headers, key and lengths. */
const ENVELOPE_BYTES = 512

function encode(message: OutgoingMessage): Encoded {
  const { category, number, event } = message
  const value = event && Buffer.from(JSON.stringify(event))
  return {
    category,
    bytes: (value?.length ?? 0) + ENVELOPE_BYTES,
    message: {
      key: event?.stream ?? null,
      value,
      partition: number,
      headers: headersOf(message),
    },
  }
}

function byTopic(request: readonly Encoded[], topicOf: TopicOf): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>()
  for (const { category, message } of request) {
    const messages = topics.get(topicOf(category)) ?? []
    messages.push(message)
    topics.set(topicOf(category), messages)
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }))
}
