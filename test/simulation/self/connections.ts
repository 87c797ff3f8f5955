import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { openDatabase } from '../../../platform/postgres/database.ts'
import { DatabaseServer } from '../database/databaseServer.ts'
import { enterRun } from '../scheduler/currentRun.ts'
import { Scheduler } from '../scheduler/scheduler.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'

/** Prints what two connections over one session do not notice of each other. */
export async function run(): Promise<void> {
  const pglite = await PGlite.create()
  const scheduler = new Scheduler(1, Date.UTC(2026, 2, 1))
  enterRun(scheduler, { databaseAheadMs: 5_000 })
  const { random } = scheduler
  const server = new DatabaseServer({ pglite, scheduler, delayMs: () => random.fraction() })
  const owner = new SimulatedProcess('one')
  const stream = { stream: () => server.connect(owner), user: 'postgres', database: 'postgres' }
  const connect = async () => {
    const client = new pg.Client(stream)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const passed: string[] = []
  const work = async () => {
    const [a, b] = [await connect(), await connect()]
    await a.query('create table public.numbers (n int primary key)')
    passed.push('two connections')

    const heard: string[] = []
    b.on('notification', ({ payload }) => heard.push(String(payload)))
    await b.query('listen news')
    await a.query("select pg_notify('news', 'one')")
    await a.query('select 1')
    assert.deepEqual(heard, ['one'])
    await b.query('unlisten news')
    await a.query("select pg_notify('news', 'two')")
    await b.query('select 1')
    assert.deepEqual(heard, ['one'])
    passed.push('LISTEN, NOTIFY and UNLISTEN per connection')

    await a.query('begin')
    await a.query('insert into public.numbers values (1)')
    const seen = b.query('select n from public.numbers')
    await a.query('insert into public.numbers values (2)')
    const [{ rows }] = await Promise.all([seen, a.query('commit')])
    assert.equal(rows.length, 2)
    passed.push('a statement of another connection waits for the transaction')

    const statement = { name: 'same name', text: 'select 1 as found' }
    const other = { name: 'same name', text: 'select 2 as found' }
    for (let n = 0; n < 2; n += 1) {
      assert.equal((await a.query(statement)).rows[0].found, 1)
      assert.equal((await b.query(other)).rows[0].found, 2)
    }
    passed.push('prepared statements of the same name')

    await a.query('set plan_cache_mode to force_generic_plan; set enable_seqscan to off')
    const mode = async (client: pg.Client) => (await client.query('show enable_seqscan')).rows[0].enable_seqscan
    assert.deepEqual([await mode(a), await mode(b), await mode(a)], ['off', 'on', 'off'])
    passed.push('settings per connection')

    await assert.rejects(a.query('select 1 / 0'), pg.DatabaseError)
    await a.query('begin')
    await assert.rejects(a.query('select * from missing'))
    await assert.rejects(a.query('select 1'), { code: '25P02' })
    await a.query('rollback')
    assert.equal((await b.query('select 1 as one')).rows[0].one, 1)
    passed.push('errors, and transactions that failed')

    const database = openDatabase({ url: 'simulated:', connecting: stream })
    await database.transaction((sql) => sql.copy('copy public.numbers from stdin', '3\n4\n'))
    await assert.rejects(database.transaction((sql) => sql.copy('copy public.numbers from stdin', 'x\n')))
    assert.equal((await database.query('select n from public.numbers')).length, 4)
    passed.push('COPY, and one that is refused')

    const [{ now }] = (await database.query<{ now: string }>('select clock_timestamp() as now')) as [{ now: string }]
    assert.equal(Date.parse(now) - Date.now() <= 5_000 && Date.parse(now) - Date.now() > 4_990, true)
    passed.push('a clock of its own')

    await b.query('begin')
    await b.query('delete from public.numbers')
    b.end().catch(() => {})
    assert.equal((await a.query('select n from public.numbers')).rows.length, 4)
    passed.push('a connection that ends in a transaction is rolled back')

    a.query('select 1').then(() => {
      failure = new Error('a killed process got an answer')
    })
    owner.kill()
    scheduler.processes.exit(() => setTimeout(() => (isOver = true), 1_000))
    passed.push('answers to a killed process')
  }
  let isOver = false
  let failure: unknown = null
  work().catch((error: unknown) => {
    failure = error
    isOver = true
  })
  await scheduler.runUntil(() => isOver)
  process.stdout.write(`${passed.join('\n')}\n`)
  if (failure !== null) throw failure
}
