import { randomUUID } from 'node:crypto'
import { streamName } from '../../contracts/streams.ts'
import { PARTITION_COUNTS, topicPartitionOf } from '../../contracts/topics.ts'

export type Company = { readonly id: string; readonly keyId: string; readonly stream: string }

/** Enough companies that every partition has several, and also for a single partition. */
export const COMPANIES = 16

/** Companies whose ledgers are spread evenly over this number of partitions of the topic. */
export function companiesOn(partitions: number): Company[] {
  if (partitions > PARTITION_COUNTS.ledger || COMPANIES % partitions !== 0) {
    throw new Error(`${COMPANIES} ledgers cannot be spread over ${partitions} of ${PARTITION_COUNTS.ledger} partitions`)
  }
  return Array.from({ length: COMPANIES }, (_, n) => companyOn(n % partitions))
}

function companyOn(partition: number): Company {
  for (;;) {
    const id = randomUUID()
    const stream = streamName('ledger', id)
    if (topicPartitionOf(stream)?.number === partition) return { id, keyId: randomUUID(), stream }
  }
}
