import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import type { NewEvent } from '../../contracts/envelope.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import type { Pace } from '../benchCommand.ts'
import { aCharge, withBenchEngines } from '../benchDatabase.ts'
import { startEventStoreServer } from '../eventStoreServer.ts'
import { withBenchFolder } from '../feed/benchFolder.ts'
import { percentile } from '../feed/lagFigures.ts'
import { type Figure, median, plainFigure } from '../figure.ts'

const APPENDS_PER_SECOND = 200
const APPENDS = 600
/** The first of them is a warm-up and not counted. */
const ROUNDS = 6

/**
 * How long an append takes on an idle machine, in alternating rounds: with the bare client of EventStoreDB, which is
 * the minimum for a call on it, with the adapter, and on the embedded store.
 */
export function benchAppendLatency({ isShort }: Pace): Promise<Figure[]> {
  return withBenchFolder(async (folder) => {
    const url = await startEventStoreServer(folder)
    return withBenchEngines(async ({ storeAsWritten: embedded }) => {
      const { log } = openLog({ level: 'silent', file: null })
      const ours = openEventStoreDb(url, { clock: systemClock, ids: systemIds, log, prefix: 'tollgate.' })
      const bare = EventStoreDBClient.connectionString(url)
      const stream = `ledger-${randomUUID()}`
      const measured = {
        "EventStoreDB's own client": ({ id, type, data, metadata }: NewEvent) =>
          bare.appendToStream(stream, jsonEvent({ id, type, data, metadata })),
        'Tollgate on EventStoreDB': (event: NewEvent) => ours.append(stream, 'any', [event]),
        'the embedded store': (event: NewEvent) => embedded.append(stream, 'any', [event]),
      }
      const p50s = new Map(Object.keys(measured).map((name) => [name, [] as number[]]))
      try {
        for (let round = 0; round < (isShort ? 2 : ROUNDS); round++) {
          for (const [name, append] of Object.entries(measured)) {
            const ms = await p50(append)
            if (round > 0) p50s.get(name)?.push(ms)
          }
        }
      } finally {
        await bare.dispose()
        await ours.close()
      }
      return [...p50s].map(([name, ms]) =>
        plainFigure(`an append, p50, ${APPENDS_PER_SECOND}/s, ${name}`, 'ms', median(ms)),
      )
    })
  })
}

/** At a steady rate, each when it is due. */
async function p50(append: (event: NewEvent) => Promise<unknown>): Promise<number> {
  const [companyId, keyId] = [randomUUID(), randomUUID()]
  const times: number[] = []
  const one = async (n: number) => {
    const event = aCharge(companyId, keyId, n)
    const beganMs = performance.now()
    await append(event)
    times.push(performance.now() - beganMs)
  }
  const beganMs = performance.now()
  const appends: Promise<void>[] = []
  for (let n = 0; n < APPENDS; n++) {
    const waitMs = beganMs + (n * 1_000) / APPENDS_PER_SECOND - performance.now()
    if (waitMs > 0) await delay(waitMs)
    appends.push(one(n))
  }
  await Promise.all(appends)
  return percentile(times, 50)
}
