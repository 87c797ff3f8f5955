import { expect, onTestFinished, test } from 'vitest'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { patientDatabase } from '../support/databases/patientDatabase.ts'
import { holdPostgresLedger } from '../support/eventStores/heldLedger.ts'
import { type Answer, CHAT, call, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type Installation, makeInstallation, UNLIMITED } from '../support/harness/installation.ts'
import { type AnswerScript, startRecordingProvider } from '../support/parties/recordingProvider.ts'
import { PATIENCE } from '../support/time/patience.ts'
import { until } from '../support/time/until.ts'
import { openBooks } from './installationBooks.ts'

/** Three seconds by design, and what a busy machine may add. Waiting for a claim to expire would take an hour. */
const REPEATED_MS_MAX = 20_000 * PATIENCE

/** Their answers are kept when the gateway dies, and their charges on the way. */
const KEPT = [
  { marker: 'kept, plain', streamed: false },
  { marker: 'kept, streamed', streamed: true },
]
/** Its provider has not answered yet. */
const UNANSWERED = { marker: 'unanswered', streamed: false, held: true }
const CALLS = [...KEPT, UNANSWERED]

test('calls with an Idempotency-Key that a kill -9 interrupts are charged once when they are sent again', async () => {
  const provider = await startRecordingProvider()
  onTestFinished(() => provider.close())
  const installation = await makeInstallation({ ...UNLIMITED, PROVIDERS_FILE: provider.providersFile })
  onTestFinished(() => installation.stop())
  await installation.startAgain()
  const { companyId } = installation.demo
  const providerCalls = (marker: string) =>
    provider.calls.filter((one) => one.marker === marker).map(({ callId }) => callId)

  const first = await onDatabase(installation, async (database) => {
    const ledger = await holdPostgresLedger(database.url)
    for (const one of CALLS) void send(installation, one).catch(() => {})
    await until('two answers are kept', async () => (await keptIn(database)) === KEPT.length)
    await until('the third call is with the provider', () => providerCalls(UNANSWERED.marker).length === 1)
    await ledger.anAppendWaits()
    await installation.kill9()
    await forgetAppends(database)
    await ledger.release()
    // As if the kill had happened this moment, however long the next start takes.
    await database.query("update answer_store.claims set leased_to = clock_timestamp() + interval '1 hour'")
    return Object.fromEntries(CALLS.map(({ marker }) => [marker, providerCalls(marker)]))
  })

  await installation.startAgain()
  const books = openBooks(await installation.databaseUrl(), companyId)
  onTestFinished(() => books.close())
  const charged = async () =>
    (await books.ledger()).events.flatMap((event) => (event.type === 'CallCharged' ? [event.data.callId] : []))
  expect(await charged()).toEqual([])

  provider.release()
  const again = new Map<string, Answer>()
  for (const one of CALLS) {
    const sentAt = performance.now()
    again.set(one.marker, await send(installation, one))
    expect(performance.now() - sentAt).toBeLessThan(REPEATED_MS_MAX)
  }
  const isReplay = (marker: string) => again.get(marker)?.headers['idempotent-replayed'] === 'true'
  for (const { marker } of KEPT) {
    expect(isReplay(marker)).toBe(true)
    expect(again.get(marker)?.text).toContain('x'.repeat(20))
    expect(providerCalls(marker)).toEqual(first[marker])
    expect(callIdOf(again.get(marker) as Answer)).toBe(first[marker]?.[0])
  }
  expect(again.get('kept, streamed')?.text).toMatch(/data: \[DONE]\n\n$/)
  expect(isReplay(UNANSWERED.marker)).toBe(false)
  expect(providerCalls(UNANSWERED.marker)).toHaveLength(2)

  for (const one of CALLS) {
    const third = await send(installation, one)
    expect([third.headers['idempotent-replayed'], third.text]).toEqual(['true', again.get(one.marker)?.text])
  }
  const lastCalls = CALLS.map(({ marker }) => providerCalls(marker).at(-1))
  expect((await charged()).toSorted()).toEqual(lastCalls.toSorted())
  await until('the balance is shown', async () => {
    const { audited, shown } = await books.balances()
    return shown === audited
  })
})

function send({ demo }: Installation, { streamed, ...script }: AnswerScript & { streamed: boolean }): Promise<Answer> {
  const messages = [{ role: 'user', content: JSON.stringify(script) }]
  return call(demo.gatewayUrl, CHAT, {
    key: demo.apiKey,
    headers: { 'idempotency-key': script.marker.replaceAll(/\W+/g, '-') },
    body: chatBody({ stream: streamed, messages }),
  })
}

async function onDatabase<Result>(
  installation: Installation,
  work: (database: PostgresDatabase) => Promise<Result>,
): Promise<Result> {
  const database = patientDatabase({ url: await installation.databaseUrl() })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function keptIn(database: PostgresDatabase): Promise<number> {
  return (await database.query('select from answer_store.claims where answer is not null and not settled')).length
}

/** Postgres lives on and would still carry out what the gateway sent: as if it had never been sent. */
async function forgetAppends(database: PostgresDatabase): Promise<void> {
  const appends = "from pg_stat_activity where application_name = 'tollgate appends'"
  await database.query(`select pg_terminate_backend(pid) ${appends}`)
  await until('no append is left', async () => (await database.query(`select ${appends}`)).length === 0)
}
