import { expect, test } from 'vitest'
import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import type { DisputeFacts } from '../../../contracts/events/dispute.ts'
import { streamName } from '../../../contracts/streams.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../../../test/support/eventStores/nothingPersonal.ts'
import { COMPANY, disputeFacts, disputeOpened, second } from '../../../test/support/events/billingEvents.ts'
import { registered } from '../../../test/support/events/controlEvents.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import { followDisputeSuspension } from './disputeSuspension.ts'

const CREATED = 1_772_359_200

test('an event that ended a suspension can be processed again while another dispute suspends the company', async () => {
  const store = new MemoryEventStore()
  const commands = new CommandHandler(store, new PursuingAppender(store, systemClock), NOTHING_PERSONAL)
  const parts = { commands, clock: systemClock, disputesSuspend: true }
  const opened = (id: string) => store.write(streamName('dispute', id), 'none', [anEventOf(disputeOpened(id))])
  const closed = (disputeId: string, status: DisputeFacts['status']) => {
    const data = { disputeId, companyId: COMPANY, facts: disputeFacts({ status }), saidAt: second(9), askedAt: null }
    store.write(streamName('dispute', disputeId), 'any', [anEventOf({ type: 'DisputeClosed', data })])
  }
  const heard = (event: string, disputeId: string) =>
    followDisputeSuspension(parts, { id: event, created: CREATED }, { disputeId, companyId: COMPANY })
  store.write(streamName('company', COMPANY), 'none', [anEventOf(registered(COMPANY))])

  opened('du_1')
  await heard('evt_1', 'du_1')
  closed('du_1', 'WON')
  await heard('evt_2', 'du_1')
  opened('du_2')
  await heard('evt_3', 'du_2')
  await heard('evt_2', 'du_1')
  closed('du_2', 'LOST')
  await heard('evt_4', 'du_2')

  const types = store.stored(streamName('company', COMPANY)).map(({ type }) => type)
  expect(types.slice(1)).toEqual(['CompanySuspended', 'CompanyResumed', 'CompanySuspended', 'CompanyResumed'])
})
