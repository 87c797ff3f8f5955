import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newestCheckpointEvent } from '../../capabilities/transparency/newestCheckpointEvent.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { openInstallationClock } from '../../platform/clock/installationClock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { Metrics } from '../../platform/metrics/metrics.ts'
import { aPrefix } from '../support/eventStores/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'
import { anEvent } from '../support/events/events.ts'
import { ManualClock } from '../support/time/manualClock.ts'
import { until } from '../support/time/until.ts'

const log = pino({ enabled: false })

describeWithEventStore('the clock of EventStoreDB', (url) => {
  test.each([
    ['two hours ahead', 2 * 3_600_000, '1'],
    ['right', 0, '0'],
  ])('tells whether the clock of the database is %s', async (_, aheadMs, alarms) => {
    const store = openEventStoreDb(url, { clock: systemClock, ids: systemIds, prefix: aPrefix(), log })
    const machine = new ManualClock(Date.now() + aheadMs)
    const metrics = new Metrics()
    let looks = 0
    const newestEvent = () => newestCheckpointEvent(store).finally(() => looks++)
    const read = async () => machine.now()
    const clock = await openInstallationClock({ clock: machine, read, newestEvent, log, metrics })
    const look = async (n: number) => {
      await machine.advance(10_000)
      await until('the newest event was read', () => looks === n)
    }
    await look(1)
    await store.append(CHECKPOINTS_STREAM, 'any', [anEvent()])
    await look(2)
    expect(await metrics.metrics()).toContain(`tollgate_clock_jumps_total ${alarms}`)
    clock.stop()
    await store.close()
  })
})
