import { beforeEach, describe, expect, test } from 'vitest'
import { hanging, loseAnswer, loseRequest } from '../../test/support/eventStores/memoryEventStore.ts'
import { PURSUIT_MS, pursuitHarness, STREAM } from '../../test/support/eventStores/pursuitHarness.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { StoreUnavailable } from './port.ts'
import { AppendStillUnknown } from './pursuit.ts'

describe.each([
  ['a store whose ids are unique', true],
  ['a store that may forget ids', false],
])('with %s', (_, idsAreUnique) => {
  let { store, clock, appender, openStream, start, timesStored } = pursuitHarness(idsAreUnique)
  beforeEach(async () => {
    ;({ store, clock, appender, openStream, start, timesStored } = pursuitHarness(idsAreUnique))
    await openStream()
  })

  async function stillUnknown(event = anEvent()): Promise<AppendStillUnknown> {
    store.failNext(...Array.from({ length: 500 }, () => loseRequest))
    const outcome = start([event])
    await clock.advance(PURSUIT_MS + 1_000)
    expect(outcome.error).toBeInstanceOf(AppendStillUnknown)
    return outcome.error as AppendStillUnknown
  }

  test('an abandoned pursuit sends nothing more, and reports where its event could be', async () => {
    const event = anEvent()
    const unknown = await stillUnknown(event)
    expect(unknown.from).toBe(2)
    unknown.giveUp()
    const sent = store.sent.length
    store.clearFaults()
    await expect(unknown.settled).rejects.toBeInstanceOf(StoreUnavailable)
    await clock.advance(PURSUIT_MS)
    expect([store.sent.length, timesStored(event)]).toEqual([sent, 0])
  })

  test('an abandoned pursuit waits for the attempt under way', async () => {
    const event = anEvent()
    const { fault, end } = hanging()
    store.failNext(loseRequest, fault)
    const outcome = start([event])
    await clock.advance(PURSUIT_MS + 1_000)
    const unknown = outcome.error as AppendStillUnknown
    unknown.giveUp()
    end(async (apply) => apply())
    expect(await unknown.settled).toMatchObject({ revision: 2 })
    expect(timesStored(event)).toBe(1)
  })

  test('an event that another process may have sent is stored once, or found', async () => {
    const [missing, stored] = [anEvent(), anEvent()]
    store.write(STREAM, 'any', [stored])
    const results = Promise.all([missing, stored].map((event) => appender.appendUnlessStored(STREAM, event, 2)))
    await clock.advance(1_000)
    expect(await results).toMatchObject([
      { revision: 3, repeated: false },
      { revision: 2, repeated: true },
    ])
    expect([missing, stored].map(timesStored)).toEqual([1, 1])
  })

  test('appending an event under the id of another one finds that one, even if the answer was lost', async () => {
    const first = anEvent()
    store.failNext(loseAnswer)
    void appender.append(STREAM, 'any', [first]).catch(() => {})
    const second = appender.appendUnlessStored(STREAM, { ...anEvent(), id: first.id }, 2)
    await clock.advance(1_000)
    expect(await second).toMatchObject({ revision: 2, repeated: true })
    expect(timesStored(first)).toBe(1)
  })
})
