import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Fault,
  landingLate,
  loseAnswer,
  loseRequest,
  unavailable,
} from '../../test/support/eventStores/memoryEventStore.ts'
import { PURSUIT_MS, pursuitHarness, STREAM } from '../../test/support/eventStores/pursuitHarness.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { AppendOutcomeUnknown, type ExpectedRevision } from './port.ts'

describe.each([
  ['a store whose ids are unique', true],
  ['a store that may forget ids', false],
])('with %s, an append is stored exactly once', (_, idsAreUnique) => {
  let { store, clock, appender, openStream, start, timesStored } = pursuitHarness(idsAreUnique)
  beforeEach(async () => {
    ;({ store, clock, appender, openStream, start, timesStored } = pursuitHarness(idsAreUnique))
    await openStream()
  })

  describe.each<ExpectedRevision>(['any', 1])('expecting revision %s', (expected) => {
    test('if its answer is lost', async () => {
      const events = [anEvent(), anEvent()]
      store.failNext(loseAnswer)
      const outcome = start(events, expected)
      await clock.advance(1_000)
      expect(outcome.result).toMatchObject({ revision: 3 })
      expect(events.map(timesStored)).toEqual([1, 1])
    })

    test('if it never arrives', async () => {
      const event = anEvent()
      store.failNext(loseRequest, loseRequest)
      const outcome = start([event], expected)
      await clock.advance(1_000)
      expect(outcome.result).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })

    test('if it is stored late, just before the second attempt', async () => {
      const event = anEvent()
      const late = landingLate()
      store.failNext(late.fault, async (apply) => {
        late.land()
        return apply()
      })
      const outcome = start([event], expected)
      await clock.advance(1_000)
      expect(outcome.result).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })

    test('if it is stored late and the following attempts are lost', async () => {
      const event = anEvent()
      const late = landingLate()
      store.failNext(late.fault, loseRequest, async () => {
        late.land()
        throw new AppendOutcomeUnknown(STREAM, 'time-out')
      })
      const outcome = start([event], expected)
      await clock.advance(1_000)
      expect(outcome.result).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })

    test('if the store is unavailable for a while', async () => {
      const event = anEvent()
      store.failNext(...Array.from({ length: 20 }, () => unavailable))
      const outcome = start([event], expected)
      await clock.advance(5_000)
      expect(outcome.result).toMatchObject({ revision: 2, repeated: false })
      expect(timesStored(event)).toBe(1)
    })

    test('if another writer appended after it', async () => {
      const event = anEvent()
      store.failNext(async (apply) => {
        apply()
        store.write(STREAM, 'any', [anEvent()])
        throw new AppendOutcomeUnknown(STREAM, 'time-out')
      })
      const outcome = start([event], expected)
      await clock.advance(1_000)
      expect(outcome.result).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })

    test('if the same appender appended after it', async () => {
      const event = anEvent()
      store.failNext(loseAnswer)
      const outcome = start([event], expected)
      await appender.append(STREAM, 'any', [anEvent()])
      await clock.advance(1_000)
      expect(outcome.result).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })

    test('if reads fail for a while with an unknown error', async () => {
      const event = anEvent()
      store.failNext(loseAnswer, loseRequest, loseRequest)
      let reads = 0
      store.beforeRead = () => {
        if (++reads < 5) throw new Error('Cannot use a pool after calling end on the pool')
      }
      const outcome = start([event], expected)
      await clock.advance(1_000)
      expect(outcome.result).toMatchObject({ revision: 2 })
      expect(timesStored(event)).toBe(1)
    })
  })

  test('as the first of its stream, if its answer is lost', async () => {
    store.failNext(loseAnswer)
    const outcome = start([anEvent()], 'none', 'ledger-2')
    await clock.advance(1_000)
    expect(outcome.result).toMatchObject({ revision: 0 })
    expect(store.stored('ledger-2')).toHaveLength(1)
  })

  test('if others keep appending before it', async () => {
    const event = anEvent()
    const writeBefore: Fault = async (apply) => {
      store.write(STREAM, 'any', [anEvent()])
      return apply()
    }
    store.failNext(loseRequest, writeBefore, writeBefore, loseAnswer)
    const outcome = start([event])
    await clock.advance(1_000)
    expect(outcome.result?.revision).toBe(store.stored(STREAM).findIndex(({ id }) => id === event.id))
    expect(timesStored(event)).toBe(1)
  })

  test('for several appends at once, whatever faults occur', async () => {
    const late: Array<() => void> = []
    const faults: Record<string, Fault> = {
      loseAnswer,
      loseRequest,
      unavailable,
      landLate: async (apply) => {
        late.push(() => void apply())
        throw new AppendOutcomeUnknown(STREAM, 'time-out')
      },
      anotherWriterBefore: async (apply) => {
        store.write(STREAM, 'any', [anEvent()])
        return apply()
      },
      anotherWriterBehind: async (apply) => {
        apply()
        store.write(STREAM, 'any', [anEvent()])
        throw new AppendOutcomeUnknown(STREAM, 'time-out')
      },
    }
    const landAll = () => {
      for (const land of late.splice(0)) land()
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(faults)), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (names, count) => {
          ;({ store, clock, start, timesStored } = pursuitHarness(idsAreUnique))
          // A store that forgets ids may store an "any" after its own repetition; folds count it once.
          store.beforeRead = landAll
          store.failNext(...names.flatMap((name) => faults[name] ?? []))
          const appends = Array.from({ length: count }, () => [anEvent(), anEvent()])
          const outcomes = appends.map((events) => start(events))
          await clock.advance(PURSUIT_MS)
          if (idsAreUnique) landAll()
          late.length = 0
          for (const [index, events] of appends.entries()) {
            const where = store.stored(STREAM).findIndex(({ id }) => id === events[1]?.id)
            expect(outcomes[index]?.result?.revision).toBe(where)
            expect(events.map(timesStored)).toEqual([1, 1])
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('with a store whose ids are unique', () => {
  test('300 appends to one busy stream that were lost together are certain within a second', async () => {
    const { store, clock, openStream, start, timesStored } = pursuitHarness(true)
    await openStream()
    const events = Array.from({ length: 300 }, () => anEvent())
    store.failNext(...events.map((_, n) => (n % 2 ? loseRequest : loseAnswer)))
    const outcomes = events.map((event) => start([event]))
    await clock.advance(1_000)
    expect(outcomes.filter(({ result }) => result)).toHaveLength(300)
    expect(events.filter((event) => timesStored(event) === 1)).toHaveLength(300)
  })

  test('a repetition of an old append is recognized even if its answer is lost', async () => {
    const { store, clock, appender, start, timesStored } = pursuitHarness(true)
    const event = anEvent()
    await appender.append(STREAM, 'any', [event])
    await appender.append(STREAM, 'any', [anEvent(), anEvent()])
    store.failNext(loseAnswer)
    const outcome = start([event])
    await clock.advance(1_000)
    expect(outcome.result).toMatchObject({ revision: 0, repeated: true })
    expect(timesStored(event)).toBe(1)
  })
})

describe('with a store that may forget ids', () => {
  test('an append is stored soon even if others append before every attempt', async () => {
    const { store, clock, openStream, start, timesStored } = pursuitHarness(false)
    await openStream()
    const event = anEvent()
    const writeBefore: Fault = async (apply) => {
      store.write(STREAM, 'any', [anEvent()])
      return apply()
    }
    store.failNext(loseRequest, ...Array.from({ length: 1_000 }, () => writeBefore))
    const outcome = start([event])
    await clock.advance(1_000)
    expect(outcome.result?.revision).toBe(store.stored(STREAM).findIndex(({ id }) => id === event.id))
    expect(timesStored(event)).toBe(1)
  })

  test('300 appends to one busy stream that were lost together are certain within two seconds, each stored once', async () => {
    const { store, clock, openStream, start, timesStored } = pursuitHarness(false)
    await openStream()
    const events = Array.from({ length: 300 }, () => anEvent())
    store.failNext(...events.map((_, n) => (n % 2 ? loseRequest : loseAnswer)))
    const outcomes = events.map((event) => start([event]))
    await clock.advance(2_000)
    expect(outcomes.filter(({ result }) => result)).toHaveLength(300)
    expect(events.filter((event) => timesStored(event) === 1)).toHaveLength(300)
  })

  test('an append at an expected revision is never repeated with "any"', async () => {
    const { store, clock, openStream, start, timesStored } = pursuitHarness(false)
    await openStream()
    const event = anEvent()
    store.failNext(loseRequest, async (apply) => {
      store.write(STREAM, 'any', [anEvent()])
      return apply()
    })
    const outcome = start([event], 1)
    await clock.advance(PURSUIT_MS)
    expect(outcome.error).toMatchObject({ name: 'WrongExpectedRevision' })
    expect(store.sent.slice(1)).not.toContain('any')
    expect(timesStored(event)).toBe(0)
  })
})
