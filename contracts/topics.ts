import type { RecordedEvent } from './envelope.ts'
import type { Position } from './position.ts'
import { CATEGORIES, type Category, categoryOf } from './streams.ts'

/**
 * The number of partitions of each category's topic. These numbers never change: a stream would move to another
 * partition, and stored checkpoints would be wrong. A category with one stream needs one partition.
 */
export const PARTITION_COUNTS: Readonly<Record<Category, number>> = {
  ledger: 4,
  apiKey: 2,
  pricing: 1,
  company: 1,
  user: 1,
  plan: 1,
  creditPack: 1,
  purchase: 2,
  topUp: 1,
  subscription: 2,
  invoice: 2,
  dispute: 1,
  difference: 1,
  webhook: 4,
  job: 2,
  talent: 2,
  document: 2,
  meeting: 2,
  task: 2,
  generator: 1,
  log: 1,
}

export const TOPICS = {
  /** A consumer that was offline for longer reads the missing events from the event store. */
  retentionMs: 7 * 24 * 60 * 60 * 1_000,
  replicasMax: 3,
  /** Per message, and per partition in one produce request. The largest event takes about half of it. */
  messageBytesMax: 1024 * 1024,
} as const

/** The topic and partition of an event. */
export type TopicPartition = { readonly category: Category; readonly number: number }

/**
 * A published message: an event, or a watermark if `event` is null. Both state that the partition has no other event
 * between the two positions. That remains true however often the message is published, and by any relay.
 */
export type TopicMessage = {
  /** Inclusive end. */
  readonly position: Position
  /** Exclusive start. */
  readonly previous: Position
  readonly event: RecordedEvent | null
}

export type OutgoingMessage = TopicMessage &
  TopicPartition & {
    /** The span that publishes the event, if it is traced. */
    readonly traceparent?: string
  }

/**
 * The headers of every message; `traceparent` is only on that of a traced event. Its key is the stream, its value the
 * event as JSON; a watermark has neither.
 */
export const MESSAGE_HEADERS = { position: 'position', previous: 'previous', traceparent: 'traceparent' } as const

/** The feed id belongs to one event store, so topics of different or re-created stores never mix. */
export function topicName(feedId: string, category: Category): string {
  return `tollgate-${feedId}-${category}`
}

/** The name of the partition in checkpoints. */
export function partitionName({ category, number }: TopicPartition): string {
  return `${category}/${number}`
}

export function topicPartitionsOf(category: Category): TopicPartition[] {
  return Array.from({ length: PARTITION_COUNTS[category] }, (_, number) => ({ category, number }))
}

/** null for a category that this program does not know. */
export function topicPartitionOf(stream: string): TopicPartition | null {
  const category = categoryOf(stream)
  if (!isCategory(category)) return null
  return { category, number: hash(stream) % PARTITION_COUNTS[category] }
}

export function isCategory(name: string): name is Category {
  return (CATEGORIES as readonly string[]).includes(name)
}

const text = new TextEncoder()

/** FNV-1a over the bytes, then the last step of MurmurHash3, because the remainder depends on the lowest bits only. */
function hash(name: string): number {
  let bits = 0x811c9dc5
  for (const byte of text.encode(name)) bits = Math.imul(bits ^ byte, 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
