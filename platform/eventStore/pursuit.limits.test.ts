import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Fault,
  hanging,
  loseAnswer,
  loseRequest,
  unavailable,
} from '../../test/support/eventStores/memoryEventStore.ts'
import { PURSUIT_MS, pursuitHarness, STREAM } from '../../test/support/eventStores/pursuitHarness.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { AppendOutcomeUnknown, EventRefused, StoreUnavailable, WrongExpectedRevision } from './port.ts'
import { AppendStillUnknown } from './pursuit.ts'

const forTheWholePursuit = (fault: Fault) => Array.from({ length: 200 }, () => fault)

describe.each([
  ['a store whose ids are unique', true],
  ['a store that may forget ids', false],
])('with %s', (_, idsAreUnique) => {
  let { store, clock, appender, openStream, start, timesStored } = pursuitHarness(idsAreUnique)
  beforeEach(async () => {
    ;({ store, clock, appender, openStream, start, timesStored } = pursuitHarness(idsAreUnique))
    await openStream()
  })

  describe('a conflict', () => {
    test('is reported at once if no outcome was unknown', async () => {
      await expect(appender.append(STREAM, 'none', [anEvent()])).rejects.toMatchObject({ actual: 1 })
      await expect(appender.append(STREAM, 0, [anEvent()])).rejects.toMatchObject({ actual: 1 })
    })

    test('is reported after a lost request if another append took the revision', async () => {
      const event = anEvent()
      store.failNext(async () => {
        store.write(STREAM, 'any', [anEvent()])
        throw new AppendOutcomeUnknown(STREAM, 'time-out')
      })
      const outcome = start([event], 1)
      await clock.advance(1_000)
      expect(outcome.error).toBeInstanceOf(WrongExpectedRevision)
      expect(timesStored(event)).toBe(0)
    })

    test('is distinguished from a connection failure whatever the name of the stream', async () => {
      const stream = 'meeting-connect before the timeout'
      store.write(stream, 'any', [anEvent()])
      const outcome = start([anEvent()], 'none', stream)
      await clock.advance(0)
      expect(outcome.error).toBeInstanceOf(WrongExpectedRevision)
    })
  })

  test('refused events are reported at once, whatever the error message says', async () => {
    store.failNext(async () => {
      throw new EventRefused('data of ConnectionTerminated is larger than 524288 bytes')
    })
    const outcome = start([anEvent()])
    await clock.advance(0)
    expect(outcome.error).toBeInstanceOf(EventRefused)
  })

  test('a programming error in the first attempt is not retried', async () => {
    store.failNext(async () => {
      throw new TypeError('Do not know how to serialize a BigInt')
    })
    const outcome = start([anEvent()])
    await clock.advance(0)
    expect(outcome.error).toBeInstanceOf(TypeError)
  })

  describe('events that may not be sent any more', () => {
    const endsWith = (outcome: Promise<unknown>) => outcome.catch((error: unknown) => error)

    test('are refused at once if nothing is stored', async () => {
      const event = anEvent()
      store.failNext(unavailable)
      let isAllowed = true
      const outcome = endsWith(appender.append(STREAM, 'any', [event], () => isAllowed))
      isAllowed = false
      await clock.advance(1_000)
      expect(await outcome).toBeInstanceOf(StoreUnavailable)
      expect(timesStored(event)).toBe(0)
    })

    test('are not sent again if it is unknown whether they are stored', async () => {
      const event = anEvent()
      store.failNext(loseRequest)
      let isAllowed = true
      const outcome = endsWith(appender.append(STREAM, 'any', [event], () => isAllowed))
      isAllowed = false
      await clock.advance(PURSUIT_MS + 1_000)
      expect(await outcome).toBeInstanceOf(AppendStillUnknown)
      expect(timesStored(event)).toBe(0)
    })
  })

  describe('when the pursuit times out', () => {
    test('the outcome is reported as unknown and settles when the store is back', async () => {
      const event = anEvent()
      store.failNext(loseAnswer, ...forTheWholePursuit(loseRequest))
      store.beforeRead = () => {
        throw new Error('Connection terminated unexpectedly')
      }
      const outcome = start([event])
      await clock.advance(PURSUIT_MS - 1)
      expect(outcome).toEqual({})
      await clock.advance(1)
      expect(outcome.error).toBeInstanceOf(AppendStillUnknown)
      store.beforeRead = () => {}
      await clock.advance(60_000)
      expect(await (outcome.error as AppendStillUnknown).settled).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })

    test('a later conflict rejects `settled`, and does not crash the process if it is ignored', async () => {
      store.failNext(...forTheWholePursuit(loseRequest))
      const outcome = start([anEvent()], 1)
      await clock.advance(PURSUIT_MS)
      store.write(STREAM, 'any', [anEvent()])
      await clock.advance(60_000)
      await expect((outcome.error as AppendStillUnknown).settled).rejects.toBeInstanceOf(WrongExpectedRevision)
    })

    test('an attempt under way counts as possibly stored', async () => {
      const event = anEvent()
      const attempt = hanging()
      store.failNext(unavailable, attempt.fault)
      const outcome = start([event])
      await clock.advance(PURSUIT_MS)
      expect(outcome.error).toBeInstanceOf(AppendStillUnknown)
      attempt.end(loseAnswer)
      await clock.advance(1_000)
      expect(await (outcome.error as AppendStillUnknown).settled).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })

    test('nothing is stored later if nothing was ever sent', async () => {
      const event = anEvent()
      store.failNext(...forTheWholePursuit(unavailable))
      const outcome = start([event])
      await clock.advance(PURSUIT_MS)
      expect(outcome.error).toBeInstanceOf(StoreUnavailable)
      const sent = store.sent.length
      await clock.advance(60_000)
      expect(store.sent).toHaveLength(sent)
      expect(timesStored(event)).toBe(0)
    })
  })
})

test('an append that was never sent is repeated unchanged and without a search', async () => {
  const { store, clock, start, timesStored } = pursuitHarness(false)
  store.write(STREAM, 'any', [anEvent()])
  store.failNext(unavailable, unavailable)
  store.beforeRead = () => {
    throw new Error('it was looked for')
  }
  const event = anEvent()
  const outcome = start([event])
  await clock.advance(1_000)
  expect(outcome.result).toMatchObject({ revision: 1 })
  expect(timesStored(event)).toBe(1)
  expect(store.sent).toEqual(['any', 'any', 'any'])
})
