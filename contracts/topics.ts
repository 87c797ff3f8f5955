import type { RecordedEvent } from './envelope.ts'
import type { Position } from './position.ts'
import { CATEGORIES, type Category, categoryOf } from './streams.ts'

/**
 * How many partitions the topic of each category has. These numbers never change: a stream would move to another
 * partition, and the checkpoints of its readers would mean something else. A category with one stream needs one.
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
  subscription: 2,
  invoice: 2,
  webhook: 4,
  job: 2,
  talent: 2,
  document: 2,
  meeting: 2,
  task: 2,
  generator: 1,
}

export const TOPICS = {
  /** Whoever was away for longer reads the rest from the event store. */
  retentionMs: 7 * 24 * 60 * 60 * 1_000,
  replicasMax: 3,
  /** Of one message, and of the messages that one request brings to a partition. The largest event is about half of it. */
  messageBytesMax: 1024 * 1024,
} as const

/** The place of an event among the topics. */
export type TopicPartition = { readonly category: Category; readonly number: number }

/**
 * What is published: an event, or, without one, a watermark. Either says that its partition has no event between the
 * two positions, which stays true whoever published it and however often.
 */
export type TopicMessage = {
  /** Up to here, this one included. */
  readonly position: Position
  /** From here on, this one left out. */
  readonly previous: Position
  readonly event: RecordedEvent | null
}

export type OutgoingMessage = TopicMessage & TopicPartition

/** On every message. Its key is the stream, its value the event as JSON; a watermark has neither. */
export const MESSAGE_HEADERS = { position: 'position', previous: 'previous' } as const

/** The id belongs to one event store: topics of another one, or of one that was founded anew, are never mixed up. */
export function topicName(feedId: string, category: Category): string {
  return `tollgate-${feedId}-${category}`
}

/** How a checkpoint names the partition. */
export function partitionName({ category, number }: TopicPartition): string {
  return `${category}/${number}`
}

export function topicPartitionsOf(category: Category): TopicPartition[] {
  return Array.from({ length: PARTITION_COUNTS[category] }, (_, number) => ({ category, number }))
}

/** null: of a category that this program does not know. */
export function topicPartitionOf(stream: string): TopicPartition | null {
  const category = categoryOf(stream)
  if (!isCategory(category)) return null
  return { category, number: hash(stream) % PARTITION_COUNTS[category] }
}

export function isCategory(name: string): name is Category {
  return (CATEGORIES as readonly string[]).includes(name)
}

const text = new TextEncoder()

/** FNV-1a over the bytes, then the last step of MurmurHash3, because a remainder looks at the lowest bits only. */
function hash(name: string): number {
  let bits = 0x811c9dc5
  for (const byte of text.encode(name)) bits = Math.imul(bits ^ byte, 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
