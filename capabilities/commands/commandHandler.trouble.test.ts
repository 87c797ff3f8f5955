import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import { streamName } from '../../contracts/streams.ts'
import { type CompanyCommand, companyDecider } from '../../domain/company/decider.ts'
import type { Decider } from '../../domain/decider.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { type Fault, loseAnswer, MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../../test/support/eventStores/nothingPersonal.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { COMMAND_RETRIES_MAX, type CommandContext, CommandHandler } from './commandHandler.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const stream = streamName('company', companyId)
const at = '2026-03-01T10:00:00.000Z'
const register: CompanyCommand = { type: 'RegisterCompany', companyId, name: 'Acme', billingMode: 'PREPAID', at }
const registered: CompanyEvent['data'] = {
  companyId,
  name: 'Acme',
  billingMode: 'PREPAID',
  hardCap: false,
  registeredAt: at,
}

function handlerOn(store: MemoryEventStore) {
  const clock = new ManualClock()
  return { clock, handler: new CommandHandler(store, new PursuingAppender(store, clock), NOTHING_PERSONAL) }
}

const intent = (): CommandContext => ({
  commandId: randomUUID(),
  correlationId: 'a request',
  actor: { kind: 'system', name: 'test' },
})

test('a conflict that never ends stops after a bounded number of attempts', async () => {
  const store = new MemoryEventStore()
  store.write(stream, 'none', [anEvent(registered, randomUUID(), 'CompanyRegistered')])
  const anotherWriterFirst: Fault = async (apply) => {
    store.write(stream, 'any', [anEvent({ companyId, billingMode: 'PREPAID' }, randomUUID(), 'BillingModeChanged')])
    return apply()
  }
  store.failNext(...Array.from({ length: 1_000 }, () => anotherWriterFirst))
  const cap: CompanyCommand = { type: 'ChangeHardCap', companyId, hardCap: true, at }
  await expect(handlerOn(store).handler.handle(companyDecider, stream, cap, intent())).rejects.toMatchObject({
    name: 'WrongExpectedRevision',
  })
  expect(store.sent).toHaveLength(COMMAND_RETRIES_MAX + 1)
})

test.each([true, false])(
  'a command whose answer was lost is carried out once and answers as always (the ids are unique: %s)',
  async (idsAreUnique) => {
    const store = new MemoryEventStore({ idsAreUnique })
    const { clock, handler } = handlerOn(store)
    store.failNext(loseAnswer)
    const context = intent()
    const answer = handler.handle(companyDecider, stream, register, context)
    await clock.advance(1_000)
    expect(await answer).toEqual({
      events: [{ type: 'CompanyRegistered', data: registered }],
      position: store.stored(stream).at(-1)?.position,
    })
    expect(await handler.handle(companyDecider, stream, register, context)).toEqual(await answer)
    expect(store.stored(stream)).toHaveLength(1)
  },
)

test('an event that the store holds twice counts once, and the next append expects the revision of the second', async () => {
  const store = new MemoryEventStore({ idsAreUnique: false })
  const event = anEvent({}, randomUUID(), 'Counted')
  store.write(stream, 'any', [event])
  store.write(stream, 'any', [event])
  const counter: Decider<number, object, CompanyEvent> = {
    initialState: () => 0,
    evolve: (count) => count + 1,
    decide: (_, count) => [{ type: 'HardCapChanged', data: { companyId, hardCap: count === 1, changedAt: at } }],
  }
  const { events } = await handlerOn(store).handler.handle(counter, stream, {}, intent())
  expect(events[0]?.data).toMatchObject({ hardCap: true })
  expect(store.sent).toEqual([1])
})
