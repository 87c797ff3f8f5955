import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const RESULTS = join(import.meta.dirname, '..', '..', 'docs', 'results')

type StoredFigure = { readonly name: string; readonly value: number; readonly events?: number }
export type ReadResults = (file: string) => Promise<readonly StoredFigure[]>

/** The figures of a file in docs/results. */
export const readResults: ReadResults = async (file) => {
  const { figures } = JSON.parse(await readFile(join(RESULTS, file), 'utf8')) as { figures: StoredFigure[] }
  return figures
}

/** The partitions of Kafka that `consumedPerSecond` was measured with. */
export const LEDGER_PARTITIONS_MEASURED = 4

/**
 * What the benchmarks measured of one call, and the most that each part did in a second on two cores: the file of each
 * figure and the beginning of its name there.
 */
const FIGURES = {
  gatewayMicros: ['gateway.json', "gateway's CPU time a call, 32 connections, to the bare proxy"],
  backgroundMicros: ['growth.json', 'CPU time of a call: projector and sealer'],
  postgresMicros: ['growth.json', 'CPU time of a call: PostgreSQL'],
  storeBytes: ['growth.json', 'bytes of an event: in the event store'],
  modelBytes: ['growth.json', 'bytes of an event: in the read models'],
  logBytes: ['growth.json', "bytes of an event: in the ledger's log"],
  jsonBytes: ['growth.json', 'bytes of an event: data and metadata as JSON'],
  appendsPerSecond: ['bench.json', 'appends, 200 callers'],
  appendsOneByOnePerSecond: ['bench.json', 'appends, 1 callers'],
  allInOneCallsPerSecond: ['bench.json', 'chat calls, 128 connections'],
  gatewayCallsPerSecond: ['gateway.json', 'chat calls, 32 connections, to the bare proxy'],
  eventStoreDbCallsPerSecond: ['gateway-eventstoredb.json', 'chat calls, 32 connections'],
  projectedPerSecond: ['bench-feed.json', 'backlog to rows, embedded'],
  relayedPerSecond: ['bench-feed.json', 'backlog to rows, relay and Kafka'],
  consumedPerSecond: ['bench-feed.json', `topic to rows, ${LEDGER_PARTITIONS_MEASURED} partitions`],
  eventStoreDbReadPerSecond: ['bench-feed-eventstoredb.json', 'events read from EventStoreDB'],
  sealedPerSecond: ['proof.json', 'sealed entries'],
  paymentEventsPerSecond: ['webhook.json', 'deliveries, 50 senders'],
  gatewayMebibytes: ['gateway.json', 'resident memory, to the bare proxy'],
} as const

export type Measured = { readonly [name in keyof typeof FIGURES]: number }

export async function measuredIn(read: ReadResults = readResults): Promise<Measured> {
  const values: [string, number][] = []
  for (const [name, [file, beginning]] of Object.entries(FIGURES)) {
    values.push([name, await figureIn(read, file, beginning)])
  }
  return Object.fromEntries(values) as Measured
}

/** Of a file with figures for stores of several sizes, only those of the largest count. */
async function figureIn(read: ReadResults, file: string, beginning: string): Promise<number> {
  const figures = await read(file)
  const largest = Math.max(...figures.map(({ events = 0 }) => events))
  const found = figures.find(({ name, events = 0 }) => name.startsWith(beginning) && events === largest)
  if (!found) throw new Error(`docs/results/${file} has no figure whose name begins with ${JSON.stringify(beginning)}`)
  return found.value
}
