import { pino } from 'pino'
import { afterEach, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { EventStoreNode } from '../../test/support/eventStores/eventStoreNode/node.ts'
import { moveTransparencyLogThrough } from '../../test/support/transparency/movedTransparencyLog.ts'
import { SealedTransparencyLog } from '../../test/support/transparency/sealedTransparencyLog.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** On the given store, or on that of its database. */
async function sealedTransparencyLog(store?: EventStore): Promise<SealedTransparencyLog> {
  const harness = await PostgresStoreHarness.open()
  closers.push(() => harness.close())
  const transparencyLog = new SealedTransparencyLog(harness.database, store ?? harness.store)
  closers.push(() => transparencyLog.stop())
  return transparencyLog
}

async function eventStoreDb(): Promise<EventStore> {
  const node = await EventStoreNode.start()
  closers.push(() => node.stop())
  const log = pino({ enabled: false })
  const store = openEventStoreDb(node.url, { clock: systemClock, ids: systemIds, prefix: 'tollgate.', log })
  closers.push(() => store.close())
  return store
}

// On EventStoreDB itself: test/engines/eventStoreDbBackup.test.ts.
test('a log that moves to EventStoreDB and back has the same entries and meets all checkpoints', async () => {
  await moveTransparencyLogThrough(
    await sealedTransparencyLog(),
    await sealedTransparencyLog(await eventStoreDb()),
    await sealedTransparencyLog(),
  )
})
