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

/** What the benchmarks measured of one call, and the most that each part did in a second on two cores. */
export type Measured = {
  readonly gatewayMicros: number
  readonly backgroundMicros: number
  readonly postgresMicros: number
  readonly storeBytes: number
  readonly modelBytes: number
  readonly logBytes: number
  readonly jsonBytes: number
  readonly appendsPerSecond: number
  readonly appendsOneByOnePerSecond: number
  readonly allInOneCallsPerSecond: number
  readonly gatewayCallsPerSecond: number
  readonly eventStoreDbCallsPerSecond: number
  readonly projectedPerSecond: number
  readonly relayedPerSecond: number
  readonly consumedPerSecond: number
  readonly eventStoreDbReadPerSecond: number
  readonly sealedPerSecond: number
  readonly paymentEventsPerSecond: number
  readonly gatewayMebibytes: number
}

/** The partitions of Kafka that `consumedPerSecond` was measured with. */
export const LEDGER_PARTITIONS_MEASURED = 4

export async function measuredIn(read: ReadResults = readResults): Promise<Measured> {
  const figure = async (file: string, beginning: string, events?: number): Promise<number> => {
    const found = (await read(file)).find(
      (one) => one.name.startsWith(beginning) && (events === undefined || one.events === events),
    )
    if (!found)
      throw new Error(`docs/results/${file} has no figure whose name begins with ${JSON.stringify(beginning)}`)
    return found.value
  }
  const growth = await read('growth.json')
  const costs = growth.filter(({ name }) => name.startsWith('CPU time of a call'))
  const largest = Math.max(...costs.map(({ events = 0 }) => events))
  const cost = (what: string) => figure('growth.json', what, largest)
  return {
    gatewayMicros: await figure('gateway.json', "gateway's CPU time a call, 32 connections, to the bare proxy"),
    backgroundMicros: await cost('CPU time of a call: projector and sealer'),
    postgresMicros: await cost('CPU time of a call: PostgreSQL'),
    storeBytes: await cost('bytes of an event: in the event store'),
    modelBytes: await cost('bytes of an event: in the read models'),
    logBytes: await cost("bytes of an event: in the ledger's log"),
    jsonBytes: await cost('bytes of an event: data and metadata as JSON'),
    appendsPerSecond: await figure('bench.json', 'appends, 200 callers'),
    appendsOneByOnePerSecond: await figure('bench.json', 'appends, 1 callers'),
    allInOneCallsPerSecond: await figure('bench.json', 'chat calls, 128 connections'),
    gatewayCallsPerSecond: await figure('gateway.json', 'chat calls, 32 connections, to the bare proxy'),
    eventStoreDbCallsPerSecond: await figure('gateway-eventstoredb.json', 'chat calls, 32 connections'),
    projectedPerSecond: await figure('bench-feed.json', 'backlog to rows, embedded'),
    relayedPerSecond: await figure('bench-feed.json', 'backlog to rows, relay and Kafka'),
    consumedPerSecond: await figure('bench-feed.json', `topic to rows, ${LEDGER_PARTITIONS_MEASURED} partitions`),
    eventStoreDbReadPerSecond: await figure('bench-feed-eventstoredb.json', 'events read from EventStoreDB'),
    sealedPerSecond: await figure('proof.json', 'sealed entries'),
    paymentEventsPerSecond: await figure('webhook.json', 'deliveries, 50 senders'),
    gatewayMebibytes: await figure('gateway.json', 'resident memory, to the bare proxy'),
  }
}
