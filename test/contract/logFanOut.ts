import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '../../platform/sharedState/logEntry.ts'
import { LOG_ENTRIES_PER_READER_MAX, LOG_READERS_MAX } from '../../platform/sharedState/logReaders.ts'
import type { LogDelivery, LogFanOut, LogSubscription } from '../../platform/sharedState/port.ts'
import { until } from '../support/time/until.ts'

/** What the suite needs from an adapter. */
export type LogFanOutHarness = {
  /** The fan-out of another process of the same installation; an adapter of one process returns the same each time. */
  open(): LogFanOut | Promise<LogFanOut>
  close(): Promise<void>
}

const entryOf = (message: string, context: Record<string, unknown> = {}): LogEntry => ({
  timestamp: '2026-03-01T12:30:00.000Z',
  level: 'info',
  message,
  context,
  service: 'gateway',
})

export function logFanOutContract(name: string, start: () => Promise<LogFanOutHarness>): void {
  describe(`${name} keeps the contract of the log fan-out`, () => {
    let harness: LogFanOutHarness
    let here: LogFanOut
    let there: LogFanOut

    beforeAll(async () => {
      harness = await start()
      here = await harness.open()
      there = await harness.open()
    })
    afterAll(() => harness.close())

    /** A reader whom every process knows of. */
    async function reader(): Promise<LogSubscription> {
      const subscription = here.subscribe()
      onTestFinished(() => subscription.close())
      await until('all know of the reader', () => here.hasReaders && there.hasReaders)
      return subscription
    }

    test('delivers to a reader what any process publishes, complete and in order', async () => {
      const subscription = await reader()
      const entries = Array.from({ length: 300 }, (_, n) =>
        entryOf(`entry ${n}`, { n, text: 'ä "quoted"\n', deep: [{}] }),
      )
      for (const entry of entries) there.publish(entry)
      expect(await take(subscription, entries.length)).toEqual(entries.map((entry) => ({ entry, lostBefore: 0 })))
    })

    test('delivers to a reader what its own process publishes, once', async () => {
      const subscription = await reader()
      here.publish(entryOf('from here'))
      there.publish(entryOf('from there'))
      const messages = (await take(subscription, 2)).map(({ entry }) => entry.message)
      expect(messages.toSorted()).toEqual(['from here', 'from there'])
      there.publish(entryOf('the last'))
      expect(await take(subscription, 1)).toMatchObject([{ entry: { message: 'the last' } }])
    })

    test('delivers everything to each of several readers once', async () => {
      const elsewhere = there.subscribe()
      onTestFinished(() => elsewhere.close())
      const seen = [await reader(), await reader(), elsewhere].map(messagesOf)
      await until('the other process reads, too', () => {
        here.publish(entryOf('a try'))
        return seen.every((messages) => messages.length > 0)
      })
      here.publish(entryOf('for all'))
      here.publish(entryOf('the end'))
      await until('it has arrived', () => seen.every((messages) => messages.includes('the end')))
      // An entry that came back through the engine would arrive before the answer to this.
      there.publish(entryOf('an answer'))
      await until('the answer has, too', () => seen.every((messages) => messages.includes('an answer')))
      for (const messages of seen) expect(messages.filter((message) => message === 'for all')).toHaveLength(1)
    })

    test('reports to a slow reader how many entries it lost, and delivers the newest', async () => {
      const subscription = await reader()
      const lost = 25
      const inAll = LOG_ENTRIES_PER_READER_MAX + lost
      for (let n = 0; n < inAll; n++) here.publish(entryOf(`entry ${n}`))
      const deliveries = await take(subscription, LOG_ENTRIES_PER_READER_MAX)
      expect(deliveries[0]).toEqual({ entry: entryOf(`entry ${lost}`), lostBefore: lost })
      expect(deliveries.slice(1).filter(({ lostBefore }) => lostBefore > 0)).toEqual([])
      expect(deliveries.at(-1)?.entry.message).toBe(`entry ${inAll - 1}`)
    })

    test('counts a reader only while it reads', async () => {
      const one = here.subscribe()
      const other = here.subscribe()
      await until('all know', () => here.hasReaders && there.hasReaders)
      one.close()
      expect(here.hasReaders).toBe(true)
      other.close()
      await until('all know that no reader is left', () => !here.hasReaders && !there.hasReaders)
      there.publish(entryOf('without a reader'))
    })

    test('ends all readers when it is closed', async () => {
      const subscription = await reader()
      const reading = subscription.next()
      subscription.close()
      expect(await reading).toEqual({ done: true, value: undefined })
      there.publish(entryOf('too late'))
      expect(await subscription.next()).toEqual({ done: true, value: undefined })
      for await (const _ of subscription) throw new Error('a closed subscription gives nothing')
    })

    test('removes a reader when its loop ends', async () => {
      const subscription = await reader()
      here.publish(entryOf('one is enough'))
      for await (const _ of subscription) break
      await until('no reader is left', () => !here.hasReaders && !there.hasReaders)
    })

    test('refuses readers above the limit', async () => {
      const readers = Array.from({ length: LOG_READERS_MAX }, () => here.subscribe())
      onTestFinished(() => {
        for (const subscription of readers) subscription.close()
      })
      expect(() => here.subscribe()).toThrowError(/readers/)
    })

    test('does not throw for an entry that cannot be sent, and continues with the next', async () => {
      const subscription = await reader()
      const endless: Record<string, unknown> = {}
      endless.self = endless
      expect(() => there.publish(entryOf('endless', endless))).not.toThrow()
      there.publish(entryOf('the next'))
      const messages = messagesOf(subscription)
      await until('the next arrives', () => messages.includes('the next'))
    })
  })
}

/** Grows with everything that arrives. */
function messagesOf(subscription: LogSubscription): string[] {
  const messages: string[] = []
  const read = async () => {
    for await (const { entry } of subscription) messages.push(entry.message)
  }
  void read()
  return messages
}

async function take(subscription: LogSubscription, count: number): Promise<LogDelivery[]> {
  const deliveries: LogDelivery[] = []
  while (deliveries.length < count) {
    const { done, value } = await subscription.next()
    if (done) throw new Error(`the subscription ended after ${deliveries.length} of ${count} entries`)
    deliveries.push(value)
  }
  return deliveries
}
