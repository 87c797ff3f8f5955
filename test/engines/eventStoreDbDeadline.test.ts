import { randomUUID } from 'node:crypto'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { encodeAppend } from '../../platform/eventStore/eventGuard.ts'
import { requestMessage } from '../../platform/eventStore/eventStoreDb/appends/appendRequest.ts'
import { StoreConnections } from '../../platform/eventStore/eventStoreDb/connection/storeConnections.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { AppendOutcomeUnknown } from '../../platform/eventStore/port.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { type EventStoreServer, ownEventStoreServer } from '../support/eventStores/eventStoreServer.ts'
import { anEvent, collect } from '../support/events/events.ts'

const DEADLINE_MS = 500

let server: EventStoreServer
beforeEach(async (context) => {
  server ??= await ownEventStoreServer(context)
})
afterEach(() => server?.thaw())
afterAll(() => server?.stop())

const log = pino({ enabled: false })
const open = (url: string, realTime = systemClock, appendTimeoutMs = 5_000) =>
  openEventStoreDb(url, { clock: systemClock, ids: systemIds, prefix: 'tollgate.', log, realTime, appendTimeoutMs })

describe('the deadline of an append to a server that is frozen when it arrives', () => {
  /** Sends one append to the frozen server on a connection that stays open, and lets it go on after the time. */
  async function answerAfterThaw(stream: string, storableUntilMs: number) {
    const connections = new StoreConnections(server.url, systemClock)
    const client = connections.another()
    await client.answers()
    const call = await client.openBatchAppend()
    const answered = new Promise<streamsPb.BatchAppendResp>((resolve, reject) => {
      call.on('data', (message) => resolve(streamsPb.BatchAppendResp.deserializeBinary(message)))
      call.on('error', reject)
    })
    server.freeze()
    const events = encodeAppend(stream, [anEvent()])
    call.write(
      requestMessage({
        appendId: randomUUID(),
        stream,
        nameOnServer: `tollgate.${stream}`,
        expected: 'any',
        events,
        storableUntilMs,
      }),
    )
    await systemClock.delay(2 * DEADLINE_MS)
    server.thaw()
    const answer = await answered
    call.end()
    connections.close()
    return answer
  }

  test.each([
    ['that has passed by then: nothing is stored', DEADLINE_MS, 'event_store.client.Timeout', 0],
    ['that has not passed by then: it is stored', 60_000, undefined, 1],
  ])('%s', async (_, aheadMs, error, stored) => {
    const stream = `test-${randomUUID()}`
    const answer = await answerAfterThaw(stream, Date.now() + aheadMs)
    expect(answer.getError()?.getDetails()?.getTypeName()).toBe(error)
    const store = open(server.url)
    expect(await collect(store.readStream(stream))).toHaveLength(stored)
    await store.close()
  })
})

test('the adapter sends the deadline: an append sent too late is refused, and its outcome is unknown', async () => {
  // By the clock of this process the server takes the append up two minutes after it was sent.
  const late = open(server.url, { ...systemClock, now: () => systemClock.now() - 120_000 }, 500)
  await expect(late.append('test-1', 'any', [anEvent()])).rejects.toBeInstanceOf(AppendOutcomeUnknown)
  expect(await collect(late.readStream('test-1'))).toEqual([])
  await late.close()
})
