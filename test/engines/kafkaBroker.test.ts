import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sharedKafka, startTestKafka } from '../support/engines/kafkaBroker.ts'
import { until } from '../support/time/until.ts'

const RETRIES = { retries: 60, maxRetryTime: 2_000 }
const CREATED_MS_MAX = 60_000
const IN_SYNC_MS_MAX = 120_000
const READ_MS_MAX = 100_000

describe('the Kafka that the run shares', () => {
  test('keeps what is written to a topic and gives it to a group', async (context) => {
    const client = clientOf(sharedKafka(context))
    const topic = await createTopic(client, { partitions: 2, copies: 1 })
    await write(client, topic, ['one', 'two', 'three'])
    expect(await readAll(client, topic, 3)).toEqual(['one', 'two', 'three'])
  })

  test('does not create topics on its own', async (context) => {
    const client = clientOf(sharedKafka(context))
    await expect(write(client, `absent-${randomUUID()}`, ['lost'])).rejects.toThrow(/topic-partition/)
  })
})

describe('brokers of a test', () => {
  test('keep what they acknowledged after a kill and a restart', async (context) => {
    const kafka = await startTestKafka(context)
    onTestFinished(() => kafka.remove())
    const [broker] = kafka.brokers
    if (!broker) throw new Error('no broker')
    const client = clientOf(kafka.addresses)
    const topic = await createTopic(client, { partitions: 1, copies: 1 })
    await write(client, topic, ['before the kill'])
    const killed = broker.pid
    await broker.kill()
    expect(broker.pid).toBeNull()
    await broker.start()
    expect(broker.pid).not.toBe(killed)
    await write(client, topic, ['after it'])
    expect(await readAll(client, topic, 2)).toEqual(['before the kill', 'after it'])
  })

  test('continue with two of three when one is killed, and it catches up when it is back', async (context) => {
    const kafka = await startTestKafka(context, { brokers: 3 })
    onTestFinished(() => kafka.remove())
    const client = clientOf(kafka.addresses)
    const topic = await createTopic(client, { partitions: 3, copies: 3 })
    await write(client, topic, ['all three'])
    const [first] = kafka.brokers
    await first?.kill()
    await write(client, topic, ['two of them'])
    await first?.start()
    const admin = client.admin()
    await admin.connect()
    onTestFinished(() => admin.disconnect())
    const inSync = async () => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      return topics[0]?.partitions.every(({ isr }) => isr.length === 3)
    }
    await until('every partition has three copies in sync again', inSync, IN_SYNC_MS_MAX)
    expect(await readAll(client, topic, 2)).toEqual(['all three', 'two of them'])
  })

  test('leave neither process nor folder when they are removed', async (context) => {
    const kafka = await startTestKafka(context)
    const { brokers, folder } = kafka
    const pid = brokers[0]?.pid ?? 0
    expect(existsSync(folder)).toBe(true)
    await kafka.remove()
    expect(existsSync(folder)).toBe(false)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

function clientOf(addresses: string): Kafka {
  return new Kafka({
    brokers: addresses.split(','),
    logLevel: logLevel.NOTHING,
    retry: RETRIES,
  })
}

async function createTopic(client: Kafka, { partitions, copies }: { partitions: number; copies: number }) {
  const topic = `test-${randomUUID()}`
  const admin = client.admin()
  await admin.connect()
  // Brokers that are kept from their heartbeats count as absent until the next one, and a topic of theirs is refused.
  let refusal: unknown
  const isCreated = async () => {
    const topics = [{ topic, numPartitions: partitions, replicationFactor: copies }]
    refusal = await admin.createTopics({ topics }).then(
      () => null,
      (error: unknown) => error,
    )
    return refusal === null
  }
  await until('the topic is created', isCreated, CREATED_MS_MAX).catch((error: Error) => {
    throw new Error(error.message, { cause: refusal })
  })
  await admin.disconnect()
  return topic
}

/** All under one key, so that they keep their order. */
async function write(client: Kafka, topic: string, texts: readonly string[]): Promise<void> {
  const producer = client.producer({ retry: topic.startsWith('absent') ? { retries: 0 } : RETRIES })
  await producer.connect()
  onTestFinished(() => producer.disconnect())
  await producer.send({ topic, acks: -1, messages: texts.map((value) => ({ key: 'stream', value })) })
}

/** Each text once: a producer that gets no answer in time sends again, and so a text may be there twice. */
async function readAll(client: Kafka, topic: string, count: number): Promise<string[]> {
  const consumer = client.consumer({ groupId: `test-${randomUUID()}` })
  await consumer.connect()
  onTestFinished(() => consumer.disconnect())
  await consumer.subscribe({ topic, fromBeginning: true })
  const texts = new Set<string>()
  await consumer.run({ eachMessage: async ({ message }) => void texts.add(String(message.value)) })
  await until(`${count} messages are read`, () => texts.size >= count, READ_MS_MAX)
  return [...texts]
}
