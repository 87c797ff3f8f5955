import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { beginEpoch, saveProgress } from '../../platform/feed/relayProgress.ts'
import { releaseLease, takeLease } from '../../platform/leases/leases.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { appendMixedHistory, type MixedHistory } from '../support/events/mixedHistory.ts'
import { runScript } from '../support/processes/runScript.ts'
import { until } from '../support/time/until.ts'

const [first] = PROJECTIONS
if (!first) throw new Error('there are no read models')

let models: ReadModels
let env: Record<string, string>
let history: MixedHistory

beforeAll(async () => {
  models = await ReadModels.open()
  env = { DATABASE_URL: models.database.url }
  history = await appendMixedHistory(models.store, { companies: 1, rounds: 2 })
  for (const projection of PROJECTIONS.slice(1)) await models.rebuild(projection)
})
afterAll(() => models.close())

const status = (...args: string[]) => runScript('feed.ts', ['status', ...args], env)

describe('feed status', () => {
  test('reports the position of the store and of every read model', async () => {
    const last = PROJECTIONS.at(-1) ?? first
    await writeCheckpoint(models.database, last, ['all'], positionOf(4))
    const { code, stdout } = await status('--json')
    const document = JSON.parse(stdout)
    const head = await models.store.head()
    expect(document).toMatchObject({ store: { position: head, events: history.events }, relay: null, leases: [] })
    expect(document.projections).toEqual([
      { name: first.name, version: null, partitions: [], lagEvents: null },
      ...PROJECTIONS.slice(1, -1).map(({ name, version }) => ({
        name,
        version,
        partitions: [{ partition: 'all', position: head, lagEvents: 0 }],
        lagEvents: 0,
      })),
      {
        name: last.name,
        version: last.version,
        partitions: [{ partition: 'all', position: positionOf(4), lagEvents: history.events - 4 }],
        lagEvents: history.events - 4,
      },
    ])
    expect(code).toBe(0)
  })

  test('prints the same for a person', async () => {
    const { code, stdout } = await status()
    expect(stdout).toContain(`${history.events} events\n`)
    expect(stdout).toMatch(new RegExp(`^${first.name} +- +- +not built yet$`, 'm'))
    expect(stdout).toMatch(/^usage +all +\d{16} +0$/m)
    expect(code).toBe(0)
  })

  test('with Kafka reports the relay and the leases, and no lag for a partition that is read to its end', async () => {
    const { database } = models
    const epoch = (await takeLease(database, 'relay', 'a host 1 abc', 60_000)) ?? 0
    const old = (await takeLease(database, 'old', 'another host', 60_000)) ?? 0
    await releaseLease(database, 'old', old)
    await beginEpoch(database, epoch)
    const published = positionOf(history.events - 2)
    const ends = new Map([
      ['ledger/0', positionOf(5)],
      ['ledger/1', positionOf(7)],
    ])
    await saveProgress(database, epoch, published, ends)
    await writeCheckpoint(database, first, ['ledger/0', 'ledger/1'], positionOf(5))
    const run = await runScript('feed.ts', ['status', '--json'], { ...env, KAFKA_BROKERS: '127.0.0.1:1' })
    const { relay, projections, leases } = JSON.parse(run.stdout)
    expect(relay).toMatchObject({ position: published, lagEvents: 2, epoch })
    expect(projections[0].partitions).toEqual([
      { partition: 'ledger/0', position: positionOf(5), lagEvents: 2 },
      { partition: 'ledger/1', position: positionOf(5), lagEvents: history.events - 5 },
    ])
    expect(projections[0].lagEvents).toBe(history.events - 5)
    expect(leases.map(({ name, holder }: Record<string, unknown>) => [name, holder])).toEqual([
      ['old', 'another host'],
      ['relay', 'a host 1 abc'],
    ])
    const text = await runScript('feed.ts', ['status'], { ...env, KAFKA_BROKERS: '127.0.0.1:1' })
    expect(text.stdout).toMatch(/^Relay: at \d{16}, 2 behind, moved \d+\.\d s ago, epoch 1$/m)
    expect(text.stdout).toMatch(/^relay +a host 1 abc +1 +held, \d+\.\d s left$/m)
    expect(text.stdout).toMatch(/^old +another host +1 +free, expired \d+\.\d s ago$/m)
    await writeCheckpoint(database, first, ['all'], BEGINNING)
  })

  test('names a read model whose version differs from that of the program', async () => {
    await writeCheckpoint(models.database, { ...first, version: 99 }, ['all'])
    expect((await status()).stdout).toContain(
      `built by version 99, but this program has version ${first.version}: rebuild it`,
    )
  })

  test('--watch repeats until SIGINT', async () => {
    const child = spawn(process.execPath, ['scripts/feed.ts', 'status', '--watch'], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { ...process.env, ...env },
    })
    let stdout = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    const exited = once(child, 'exit')
    await until('it has told twice', () => stdout.split('Event store: ').length > 2, 50_000)
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
  })

  test.each([
    ['nothing to tell', []],
    ['something unknown', ['lag']],
    ['both forms', ['status', '--json', '--watch']],
  ])('%s: exit code 2, with the usage', async (_, args) => {
    const { code, stderr } = await runScript('feed.ts', args, env)
    expect(stderr).toContain('usage: npm run feed -- status')
    expect(code).toBe(2)
  })
})

function positionOf(number: number) {
  const position = models.store.parsePosition(String(number))
  if (position === null) throw new Error(`${number} is no position`)
  return position
}
