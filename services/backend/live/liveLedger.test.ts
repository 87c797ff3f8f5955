import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { Runtime } from '../../../capabilities/installation.ts'
import type { NewEvent } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import type { AppendResult, ExpectedRevision, SubscribeOptions } from '../../../platform/eventStore/port.ts'
import { forwardingLog } from '../../../platform/logger/logger.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import { charged, failed, granted, reversed } from '../../../test/support/events/ledgerEvents.ts'
import { until } from '../../../test/support/time/until.ts'
import { LIVE_CALLS_WAITING_MAX, LiveLedger, type LiveReader, NoReaderPlace, ReaderTooSlow } from './liveLedger.ts'

/** A store in memory that can be followed. */
class FollowedStore extends MemoryEventStore {
  followers = 0
  failuresLeft = 0
  #wake: () => void = () => {}

  override write(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): AppendResult {
    const result = super.write(stream, expected, events)
    this.#wake()
    return result
  }

  // biome-ignore lint/suspicious/noExplicitAny: the events are those of any category.
  override async *subscribe({ after, signal }: SubscribeOptions = {} as never): AsyncIterable<any> {
    this.followers += 1
    let position = after
    try {
      while (!signal.aborted) {
        const batch = await this.readAll({ after: position, limit: 100 })
        if (batch.events.length > 0) {
          if (this.failuresLeft-- > 0) throw new Error('the connection broke')
          position = batch.position
          yield batch
          continue
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve
          signal.addEventListener('abort', () => resolve())
        })
      }
    } finally {
      this.followers -= 1
    }
  }
}

const companyId = randomUUID()
const otherId = randomUUID()
let store = new FollowedStore()
const readers: LiveReader<unknown>[] = []
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  await until('nothing is followed without readers', () => store.followers === 0)
})

/** Read models that know no company yet, so that a balance is read from the ledger alone. */
const database = { query: async () => [] }

function ledgerOf({ idsAreUnique = true, readersMax = 100 } = {}) {
  store = new FollowedStore({ idsAreUnique })
  const engines = { store, database } as unknown as Runtime['engines']
  return new LiveLedger({ engines, clock: systemClock, log: forwardingLog('silent', () => {}) }, readersMax)
}

const put = (event: LedgerEvent, id = randomUUID()) =>
  store.write(streamName('ledger', event.data.companyId), 'any', [anEventOf(event, id)])

async function opened<Value>(opening: Promise<LiveReader<Value>>) {
  const reader = await opening
  readers.push(reader)
  return { reader, next: async () => (await reader.next()).value as Value }
}

const grant = (amountMicros: string, company = companyId) => granted(company, { amountMicros })

describe('a reader of the balance', () => {
  test('gets the present balance and then each change, and nothing of another company', async () => {
    const live = ledgerOf()
    put(grant('100'))
    const { next } = await opened(live.balance(companyId))
    expect(await next()).toMatchObject({ amountMicros: '100' })
    put(grant('7', otherId))
    const charge = charged(companyId, { amountMicros: '30' })
    put(charge)
    expect(await next()).toMatchObject({ amountMicros: '70' })
    put(reversed(charge))
    expect(await next()).toMatchObject({ amountMicros: '100' })
  })

  test('of a company without entries gets zero', async () => {
    const { next } = await opened(ledgerOf().balance(companyId))
    expect(await next()).toEqual({ amountMicros: '0', updatedAt: null })
  })

  test('gets only the newest balance if it reads slowly', async () => {
    const { next } = await opened(ledgerOf().balance(companyId))
    await next()
    // The follower reads none of them before all are stored.
    for (let n = 0; n < 20; n++) put(grant('1'))
    put(grant('5'))
    expect(await next()).toMatchObject({ amountMicros: '25' })
  })

  test('counts entries stored while the balance is read once', async () => {
    const live = ledgerOf()
    put(grant('100'))
    let isFirst = true
    store.beforeRead = async () => {
      if (isFirst) for (const amount of ['10', '20']) put(grant(amount))
      isFirst = false
      // The follower delivers the entries before the read has them.
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { next } = await opened(live.balance(companyId))
    expect(await next()).toMatchObject({ amountMicros: '130' })
    put(grant('1'))
    expect(await next()).toMatchObject({ amountMicros: '131' })
  })

  test('counts an event that the store holds twice only once', async () => {
    const live = ledgerOf({ idsAreUnique: false })
    const [early, late] = [randomUUID(), randomUUID()]
    put(grant('100'), early)
    const { next } = await opened(live.balance(companyId))
    expect(await next()).toMatchObject({ amountMicros: '100' })
    put(grant('100'), early)
    put(grant('10'), late)
    put(grant('10'), late)
    put(grant('1'))
    await until('all are counted', async () => (await next()).amountMicros === '111')
  })
})

describe('a reader of calls', () => {
  test('gets charged and failed calls, and no other entries', async () => {
    const { next } = await opened(ledgerOf().calls(companyId))
    const charge = charged(companyId)
    put(grant('100'))
    put(charge)
    put(charged(otherId))
    put(reversed(charge))
    const failure = failed(companyId)
    put(failure)
    expect(await next()).toMatchObject({ callId: charge.data.callId, state: 'CHARGED', chargedMicros: '50' })
    expect(await next()).toMatchObject({ state: 'FAILED', chargedMicros: '0' })
  })

  test('is ended once too many calls wait for it, and its slot is released', async () => {
    const live = ledgerOf()
    const { reader } = await opened(live.calls(companyId))
    for (let n = 0; n <= LIVE_CALLS_WAITING_MAX; n++) put(charged(companyId))
    await until('its place is free', () => live.readers === 0)
    await expect(reader.next()).rejects.toThrow(ReaderTooSlow)
  })

  test('gets every call although the store fails meanwhile', async () => {
    const { next } = await opened(ledgerOf().calls(companyId))
    store.failuresLeft = 1
    const calls = [charged(companyId), charged(companyId)]
    for (const call of calls) put(call)
    expect([await next(), await next()]).toMatchObject(calls.map(({ data }) => ({ callId: data.callId })))
  })
})

test('all readers share one follower of the store, which ends with the last of them', async () => {
  const live = ledgerOf()
  const first = await opened(live.balance(companyId))
  const second = await opened(live.calls(otherId))
  await until('the store is followed', () => store.followers === 1)
  first.reader.close()
  put(charged(otherId))
  expect(await second.next()).toMatchObject({ companyId: otherId })
  const ended = second.reader.next()
  second.reader.close()
  expect(await ended).toEqual({ done: true, value: undefined })
  await until('the store is left', () => store.followers === 0)
})

test('a company cannot take all reader slots', async () => {
  const live = ledgerOf({ readersMax: 4 })
  await opened(live.calls(companyId))
  await opened(live.calls(companyId))
  await expect(live.calls(companyId)).rejects.toThrow(NoReaderPlace)
  await opened(live.calls(otherId))
  expect(live.readers).toBe(3)
})
