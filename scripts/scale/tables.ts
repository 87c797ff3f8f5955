import { TOPICS } from '../../contracts/topics.ts'
import { LEDGER_PARTITIONS_MEASURED, type Measured } from './results.ts'

/** The target of the design. */
export const CALLS_PER_SECOND = 1_000_000
/** The fraction of its measured maximum at which a part is run, to leave room for a failed neighbour or a peak. */
const LOAD = 0.5
/** The share of all calls that the largest company makes. */
const LARGEST_COMPANY = 0.1
/** How many calls a company pays for at once: a purchase of 1,000 credits at a tenth of a credit per call. */
const CALLS_PER_PAYMENT = 10_000
/** How many events the payment provider sends per purchase. */
const EVENTS_PER_PAYMENT = 3
/** How long a model takes for an answer. */
const CALL_SECONDS = 10
/** How many requests a gateway process serves at once. */
export const IN_FLIGHT_MAX = 5_000
/** What several gateways ask Redis per call: requests of the address and of the key, tokens before and after the call. */
const REDIS_COMMANDS_PER_CALL = 4
const KAFKA_REPLICAS = 3
const STORE_REPLICAS = 2
const DAY_SECONDS = 86_400
const RETENTION_DAYS = TOPICS.retentionMs / 1_000 / DAY_SECONDS

type Row = readonly string[]

/** The tables of docs/scale.md by name. */
export function scaleTables(m: Measured): Readonly<Record<string, string>> {
  return { 'cost of a call': costTable(m), 'where parts saturate': limitTable(m), 'a million calls': sizingTable(m) }
}

function costTable(m: Measured): string {
  const perCore = (micros: number) => `${whole(1e6 / micros)} calls/s`
  const cpu = (part: string, micros: number, from: string) => [part, `${rounded(micros)} µs`, perCore(micros), from]
  const bytes = (part: string, count: number) => [
    part,
    `${whole(count)} bytes`,
    `${size(count * 1e6)} a million`,
    GROWTH,
  ]
  return table(
    ['Part', 'One call', 'One core, or a million calls', 'From'],
    [
      cpu('gateway process', m.gatewayMicros, 'gateway.json'),
      cpu('projector and sealer', m.backgroundMicros, GROWTH),
      cpu('PostgreSQL: append, read models, log', m.postgresMicros, GROWTH),
      cpu('all of it', m.gatewayMicros + m.backgroundMicros + m.postgresMicros, 'the three above'),
      bytes('event as JSON, as Kafka carries it', m.jsonBytes),
      bytes('event store, with its indexes', m.storeBytes),
      bytes('read models', m.modelBytes),
      bytes('transparency log', m.logBytes),
      bytes('PostgreSQL in all', m.storeBytes + m.modelBytes + m.logBytes),
    ],
  )
}

function limitTable(m: Measured): string {
  const row = (part: string, perSecond: number, from: string) => [
    part,
    `${whole(perSecond)}/s`,
    whole(CALLS_PER_SECOND / perSecond),
    from,
  ]
  return table(
    ['Part, on two cores', 'Most events or calls', 'Times that for a million a second', 'From'],
    [
      row('one ledger, appends one after the other', m.appendsOneByOnePerSecond, 'bench.json'),
      row('one PostgreSQL store, appends that share commits', m.appendsPerSecond, 'bench.json'),
      row('a gateway, with its store and projector beside it', m.gatewayCallsPerSecond, 'gateway.json'),
      row('the same on one EventStoreDB', m.eventStoreDbCallsPerSecond, 'gateway-eventstoredb.json'),
      row('`npm start`, everything in one process', m.allInOneCallsPerSecond, 'bench.json'),
      row('a projector, from the store', m.projectedPerSecond, 'bench-feed.json'),
      row('relay, Kafka and projector', m.relayedPerSecond, 'bench-feed.json'),
      row('one EventStoreDB, read by one process', m.eventStoreDbReadPerSecond, 'bench-feed-eventstoredb.json'),
      row(
        `a projector, from ${LEDGER_PARTITIONS_MEASURED} partitions of Kafka`,
        m.consumedPerSecond,
        'bench-feed.json',
      ),
      row("the log's sealer", m.sealedPerSecond, 'proof.json'),
      row('webhooks of the payment provider', m.paymentEventsPerSecond, 'webhook.json'),
    ],
  )
}

function sizingTable(m: Measured): string {
  const sharedPerSecond = m.appendsPerSecond * LOAD
  const shards = Math.ceil(CALLS_PER_SECOND / sharedPerSecond)
  const perShard = CALLS_PER_SECOND / shards
  const largest = CALLS_PER_SECOND * LARGEST_COMPANY
  const storedBytes = m.storeBytes + m.modelBytes + m.logBytes
  const payments = CALLS_PER_SECOND / CALLS_PER_PAYMENT
  const coresOf = (micros: number) => Math.ceil((CALLS_PER_SECOND * micros) / 1e6 / LOAD)
  const logEntriesPerDay = perShard * DAY_SECONDS
  const inFlight = CALLS_PER_SECOND * CALL_SECONDS
  const gateways = Math.ceil(inFlight / (IN_FLIGHT_MAX * LOAD))
  const partitionPerSecond = m.consumedPerSecond / LEDGER_PARTITIONS_MEASURED
  const shardCores = coresOf(m.backgroundMicros) + coresOf(m.postgresMicros)
  const cores = coresOf(m.gatewayMicros) + shardCores
  return table(
    ['Of the whole', 'Arithmetic', 'Result'],
    [
      ['shards: store, log and read models', `10⁶ / (${whole(m.appendsPerSecond)} × ${LOAD})`, whole(shards)],
      ['calls of a shard', `10⁶ / ${whole(shards)}`, `${whole(perShard)}/s`],
      ['cores of gateways', `${rounded(m.gatewayMicros)} µs × 10⁶ / ${LOAD}`, whole(coresOf(m.gatewayMicros))],
      [`calls in flight, of ${CALL_SECONDS} s each`, `10⁶ × ${CALL_SECONDS}`, whole(inFlight)],
      ['gateway processes for them', `${whole(inFlight)} / (${whole(IN_FLIGHT_MAX)} × ${LOAD})`, whole(gateways)],
      ['calls of such a process', `10⁶ / ${whole(gateways)}`, `${whole(CALLS_PER_SECOND / gateways)}/s`],
      [
        'memory of these processes, before calls',
        `${rounded(m.gatewayMebibytes)} MiB × ${whole(gateways)}`,
        size(m.gatewayMebibytes * 2 ** 20 * gateways),
      ],
      [
        'commands to Redis, of one shard',
        `${whole(perShard)}/s × ${REDIS_COMMANDS_PER_CALL}`,
        `${whole(perShard * REDIS_COMMANDS_PER_CALL)}/s`,
      ],
      [
        'cores of projectors and sealers',
        `${rounded(m.backgroundMicros)} µs × 10⁶ / ${LOAD}`,
        whole(coresOf(m.backgroundMicros)),
      ],
      ['cores of PostgreSQL', `${rounded(m.postgresMicros)} µs × 10⁶ / ${LOAD}`, whole(coresOf(m.postgresMicros))],
      ['cores of PostgreSQL, of one shard', 'divided by the shards', rounded(coresOf(m.postgresMicros) / shards)],
      [
        'load of a projector',
        `${whole(perShard)} / ${whole(m.projectedPerSecond)}`,
        share(perShard / m.projectedPerSecond),
      ],
      [
        "partitions that a shard's ledgers need",
        `${whole(perShard)} / (${whole(partitionPerSecond)} × ${LOAD})`,
        whole(Math.ceil(perShard / (partitionPerSecond * LOAD))),
      ],
      ['load of a sealer', `${whole(perShard)} / ${whole(m.sealedPerSecond)}`, share(perShard / m.sealedPerSecond)],
      [
        `sub-ledgers of a company with ${share(LARGEST_COMPANY)} of the calls`,
        `${whole(largest)} / ${whole(sharedPerSecond)}`,
        whole(Math.ceil(largest / sharedPerSecond)),
      ],
      [
        'written by PostgreSQL, of one shard',
        `${whole(storedBytes)} bytes × ${whole(perShard)}/s`,
        `${size(storedBytes * perShard)}/s`,
      ],
      ['kept a day, of one shard', `× ${whole(DAY_SECONDS)} s`, size(storedBytes * perShard * DAY_SECONDS)],
      [
        'kept a day, of all, with a replica',
        `× ${whole(shards)} × ${STORE_REPLICAS}`,
        size(storedBytes * CALLS_PER_SECOND * DAY_SECONDS * STORE_REPLICAS),
      ],
      [
        'events alone, a day',
        `${whole(m.jsonBytes)} bytes × 10⁶/s`,
        size(m.jsonBytes * CALLS_PER_SECOND * DAY_SECONDS),
      ],
      [
        'through Kafka, with its replicas',
        `${whole(m.jsonBytes)} bytes × 10⁶/s × ${KAFKA_REPLICAS}`,
        `${size(m.jsonBytes * CALLS_PER_SECOND * KAFKA_REPLICAS)}/s`,
      ],
      [
        `kept by Kafka, ${RETENTION_DAYS} days`,
        `× ${whole(RETENTION_DAYS * DAY_SECONDS)} s`,
        size(m.jsonBytes * CALLS_PER_SECOND * KAFKA_REPLICAS * RETENTION_DAYS * DAY_SECONDS),
      ],
      [
        'hashes of a receipt, in a log of one year',
        `log₂(${size2(logEntriesPerDay * 365)})`,
        whole(Math.ceil(Math.log2(logEntriesPerDay * 365))),
      ],
      ['more of them, for the log of logs', `log₂(${whole(shards)})`, whole(Math.ceil(Math.log2(shards)))],
      [
        'webhooks of payments',
        `10⁶ / ${whole(CALLS_PER_PAYMENT)} × ${EVENTS_PER_PAYMENT}`,
        `${whole(payments * EVENTS_PER_PAYMENT)}/s`,
      ],
      [
        'load of one backend by them',
        `${whole(payments * EVENTS_PER_PAYMENT)} / ${whole(m.paymentEventsPerSecond)}`,
        share((payments * EVENTS_PER_PAYMENT) / m.paymentEventsPerSecond),
      ],
      [
        'cores in all',
        `${whole(coresOf(m.gatewayMicros))} + ${whole(coresOf(m.backgroundMicros))} + ${whole(coresOf(m.postgresMicros))}`,
        whole(cores),
      ],
      [
        'cores of a shard, without gateways',
        `(${whole(coresOf(m.backgroundMicros))} + ${whole(coresOf(m.postgresMicros))}) / ${whole(shards)}`,
        rounded(shardCores / shards),
      ],
    ],
  )
}

const GROWTH = 'growth.json'

function table(head: Row, rows: readonly Row[]): string {
  const line = (row: Row) => `| ${row.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Two digits count: no more of them are the same in the next run. */
const rounded = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 2 })
const whole = (value: number): string => Math.round(value).toLocaleString('en')
const share = (value: number): string => `${Math.round(value * 100)} %`
const size2 = (value: number): string => `${rounded(value / 1e9)} × 10⁹`

function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${rounded(bytes / 10 ** (power * 3))} ${units[power]}`
}
