import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { EventStoreDBClient } from '@eventstore/db-client'
import { BEGINNING } from '../../contracts/position.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { aCharge } from '../benchDatabase.ts'
import { startEventStoreServer } from '../eventStoreServer.ts'
import { atMost, type Figure, pairedFigure } from '../figure.ts'
import { measureStart } from '../start/firstStart.ts'
import { withBenchFolder } from './benchFolder.ts'
import { companiesOn } from './companies.ts'
import { type FilledInstallation, openFilled } from './filledInstallation.ts'

const EVENTS = 100_000
const ROUNDS = 5
const READ_RATIO_MIN = 0.8
const TIME_RATIO_MAX = 1.5
const CHECKOUT = join(import.meta.dirname, '..', '..')

/** Reading compared with the bare client, and a rebuild and a start compared with the embedded store, on the same events. */
export function benchFromEventStoreDb(): Promise<Figure[]> {
  return withBenchFolder(async (folder) => {
    const url = await startEventStoreServer(folder)
    const charges = companiesOn(4).map(({ id, keyId, stream }) => ({
      stream,
      append: (n: number) => Array.from({ length: EVENTS_PER_APPEND_MAX }, (_, i) => aCharge(id, keyId, n + i)),
    }))
    const settings = {
      embedded: { DATA_DIR: join(folder.path, 'embedded') },
      eventStoreDb: { DATA_DIR: join(folder.path, 'on-eventstoredb'), EVENTSTORE_URL: url, SANDBOX: '1' },
    }
    const embedded = await openFilled(settings.embedded, charges, EVENTS)
    const eventStoreDb = await openFilled(settings.eventStoreDb, charges, EVENTS)
    let read: Figure
    try {
      read = await reading(eventStoreDb, url)
    } finally {
      await embedded.close()
      await eventStoreDb.close()
    }
    const compared = (what: string, measure: (settings: Settings) => Promise<number>) =>
      timesOf(`${what}, ${EVENTS} events, EventStoreDB to embedded`, settings, measure)
    return [
      read,
      await compared('npm run rebuild -- credit-balances', measureRebuild),
      await compared('npm start', (chosen) => measureStart(CHECKOUT, chosen)),
    ]
  })
}

async function reading({ engines }: FilledInstallation, url: string): Promise<Figure> {
  const bare: number[] = []
  const ours: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const reference = await perSecond(() => readBare(url))
    const measured = await perSecond(() => readAll(engines))
    // The first round warms up both.
    if (round < 0) continue
    bare.push(reference)
    ours.push(measured)
  }
  return pairedFigure('events read from EventStoreDB, to the bare client', 'events/s', ours, bare, READ_RATIO_MIN)
}

async function readBare(url: string): Promise<number> {
  const client = EventStoreDBClient.connectionString(url)
  let count = 0
  for await (const _ of client.readAll()) count++
  await client.dispose()
  return count
}

async function readAll({ storeAsWritten }: FilledInstallation['engines']): Promise<number> {
  let count = 0
  for (let after = BEGINNING; ; ) {
    const page = await storeAsWritten.readAll({ after, limit: READ_PAGE_EVENTS_MAX })
    if (page.position === after) return count
    after = page.position
    count += page.events.length
  }
}

/** Of the number that it read. */
async function perSecond(read: () => Promise<number>): Promise<number> {
  const beganMs = performance.now()
  const count = await read()
  if (count < EVENTS) throw new Error(`${count} events were read, and ${EVENTS} were stored`)
  return (count * 1_000) / (performance.now() - beganMs)
}

type Settings = Readonly<Record<string, string>>

async function timesOf(
  name: string,
  settings: { readonly embedded: Settings; readonly eventStoreDb: Settings },
  measure: (settings: Settings) => Promise<number>,
): Promise<Figure> {
  const times: { embedded: number[]; eventStoreDb: number[] } = { embedded: [], eventStoreDb: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.embedded.push((await measure(settings.embedded)) / 1_000)
    times.eventStoreDb.push((await measure(settings.eventStoreDb)) / 1_000)
  }
  return atMost(pairedFigure(name, 's', times.eventStoreDb, times.embedded), TIME_RATIO_MAX)
}

/** The whole command, as an operator waits for it, with no other process of the installation running. */
async function measureRebuild(settings: Settings): Promise<number> {
  const beganMs = performance.now()
  const child = spawn('npm', ['run', '-s', 'rebuild', '--', creditBalances.name], {
    cwd: CHECKOUT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`npm run rebuild ended with exit code ${code}`)
  return performance.now() - beganMs
}
