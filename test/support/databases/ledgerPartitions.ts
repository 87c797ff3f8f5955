import { streamName } from '../../../contracts/streams.ts'
import { partitionName, topicPartitionOf, topicPartitionsOf } from '../../../contracts/topics.ts'

/** The Kafka partitions of the ledgers, as checkpoints name them. */
export const LEDGER_PARTITIONS: readonly string[] = topicPartitionsOf('ledger').map(partitionName)

export function ledgerPartitionOf(companyId: string): string {
  const place = topicPartitionOf(streamName('ledger', companyId))
  if (!place) throw new Error('ledgers have no topic')
  return partitionName(place)
}
