import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import pg from 'pg'
import { Pool } from 'undici'
import { CallTimeline } from '../../services/gateway/call/callTimeline.ts'

/**
 * The second reference: the least that a gateway must do if it charges before the last byte. It looks up the key,
 * forwards the call, stores a charge with a group-committed insert, and answers. It checks nothing else, and only one
 * may run on a database: it numbers the events itself, and a crash in a commit would leave a caller without a charge.
 */
const [port, upstream, databaseUrl, apiKey = '', companyId, keyId] = process.argv.slice(2)

/** The same as those of the gateway's own server and provider pool. */
const SERVER_OPTIONS = { noDelay: true, keepAliveTimeout: 75_000, connectionsCheckingInterval: 2_000 }
const POOL_OPTIONS = { connections: 256, keepAliveTimeout: 30_000 }

const STREAM = `ledger-${companyId}`
/** Listeners are notified as by append_batch, so that the same projector does the same work. */
const INSERT = `with stored as (
    insert into event_store.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
    select $1::bigint + e.ord, $2::bigint, $3::bigint + e.ord, e.id, now(), '${STREAM}', 'CallCharged', e.data, e.metadata
    from unnest($4::uuid[], $5::json[], $6::json[]) with ordinality as e (id, data, metadata, ord)
  )
  select pg_notify('event_store', ($1::bigint + cardinality($4::uuid[]))::text)`

type Charge = { readonly id: string; readonly data: string; readonly metadata: string; stored(): void }

const pool = new Pool(`http://127.0.0.1:${upstream}`, POOL_OPTIONS)
const database = new pg.Client({ connectionString: databaseUrl })
await database.connect()
const { rows } = await database.query(
  'select s.stream_no, s.revision, c.position from event_store.streams s, event_store.counter c where s.stream = $1',
  [STREAM],
)
const [{ stream_no: streamNo, ...last }] = rows as [{ stream_no: string; revision: string; position: string }]
let revision = Number(last.revision)
let position = Number(last.position)
const keys = new Map([[hashOf(apiKey), { companyId, keyId }]])
const bookId = randomUUID()
const clock = { monotonicMs: () => performance.now() }

let waiting: Charge[] = []
let isCommitting = false

function charge(id: string, tokensIn: number, tokensOut: number, admittedAt: string): Promise<void> {
  const finishedAt = new Date().toISOString()
  const total = Math.ceil((tokensIn * 500_000 + tokensOut * 1_500_000) / 1_000_000)
  const ofInput = Math.ceil((tokensIn * 500_000) / 1_000_000)
  const price = { bookId, rates: { input: '500000', output: '1500000' } }
  const lines = [
    { kind: 'input', count: tokensIn, rate: price.rates.input, amountMicros: String(ofInput) },
    { kind: 'output', count: tokensOut, rate: price.rates.output, amountMicros: String(total - ofInput) },
  ]
  const call = {
    companyId,
    callId: id,
    keyId,
    alias: 'svc/chat-default',
    endpoint: '/chat/completions',
    streamed: false,
  }
  const cost = { provider: 'bench', costMicros: null, costCurrency: null, tokensCached: null, tokensCacheWrite: null }
  const charged = { tokensIn, tokensOut, amountMicros: String(total), price, lines }
  const tier = { serviceTier: null, tierFactor: '1000000', abandoned: false }
  const data = { ...call, admittedAt, finishedAt, label: null, ...cost, ...charged, ...tier }
  const actor = { kind: 'apiKey', id: keyId }
  const metadata = { schemaVersion: 3, correlationId: id, causationId: id, actor }
  return new Promise((stored) => {
    waiting.push({ id, data: JSON.stringify(data), metadata: JSON.stringify(metadata), stored })
    if (!isCommitting) void commit()
  })
}

async function commit(): Promise<void> {
  isCommitting = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    const columns = [batch.map(({ id }) => id), batch.map(({ data }) => data), batch.map(({ metadata }) => metadata)]
    await database.query({ name: 'charge', text: INSERT, values: [position, streamNo, revision, ...columns] })
    position += batch.length
    revision += batch.length
    for (const { stored } of batch) stored()
  }
  isCommitting = false
}

async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const id = randomUUID()
  const timeline = new CallTimeline(id, clock)
  timeline.done('head read')
  if (!keys.has(hashOf((request.headers.authorization ?? '').slice('Bearer '.length)))) {
    response.writeHead(401).end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => request.on('end', resolve))
  const admittedAt = new Date().toISOString()
  timeline.done('admitted')
  timeline.done('provider asked')
  const answer = await pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json', 'x-request-id': id },
    body: Buffer.concat(chunks),
  })
  timeline.done('first byte of the provider')
  const body = Buffer.from(await answer.body.arrayBuffer())
  timeline.done('last byte of the provider')
  const { usage } = JSON.parse(body.toString()) as { usage: { prompt_tokens: number; completion_tokens: number } }
  timeline.done('append submitted')
  await charge(id, usage.prompt_tokens, usage.completion_tokens, admittedAt)
  timeline.done('append stored')
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-request-id': id }
  response.writeHead(200, headers).end(body.toString('latin1'), 'latin1')
  timeline.done('answer written')
  timeline.publish()
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

const server = http.createServer(SERVER_OPTIONS, (request, response) => void serve(request, response))
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
