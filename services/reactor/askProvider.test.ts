import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CommandHandler } from '../../capabilities/commands/commandHandler.ts'
import { PaymentProviderError } from '../../capabilities/payments/paymentProvider.ts'
import { streamName } from '../../contracts/streams.ts'
import { isoTime, systemClock } from '../../platform/clock/clock.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { invoices } from '../../projections/invoices/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { NOTHING_PERSONAL } from '../../test/support/eventStores/nothingPersonal.ts'
import { COMPANY, invoiceFacts, PURCHASE, purchaseStarted, second } from '../../test/support/events/billingEvents.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { ASK_EVERY_MS, createProviderQuestions } from './askProvider.ts'

type Parts = Parameters<typeof createProviderQuestions>[0]

/** More than one round queries. */
const INVOICES = 51

let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
})
afterEach(() => models.close())

const none = async () => ({ items: [], next: null })
const refused = async () => {
  throw new PaymentProviderError('no such object', 'request', null)
}
const OPEN = { status: 'open', attempted: false, total: 4_900, currency: 'usd', created: 1, subscription: null }

/** The daily questions to a provider that has nothing but this. */
function questions(provider: object, clock: Parts['clock'] = systemClock): () => Promise<void> {
  const { database, store } = models
  const commands = new CommandHandler(store, new PursuingAppender(store, clock), NOTHING_PERSONAL)
  const { log } = openLog({ level: 'silent', file: null })
  const nothing = { invoicesSince: none, refundsSince: none, sessionsSince: none, disputesSince: none }
  return createProviderQuestions({
    engines: { database, store, commands, personal: NOTHING_PERSONAL },
    ...{ clock, log, holder: 'the test', stopping: new AbortController().signal },
    provider: { ...nothing, invoice: refused, charge: refused, subscription: refused, ...provider },
  } as unknown as Parts)
}

/** The types of the events that were stored because the provider was asked. */
const reported = async () =>
  (await models.events({ categories: ['webhook'] })).map(({ data }) => (data as { type: string }).type)

test('every open invoice is queried once, round by round, even if the provider refuses one', async () => {
  const ids = Array.from({ length: INVOICES }, (_, n) => `in_${String(n).padStart(2, '0')}`)
  for (const invoiceId of ids) {
    const facts = invoiceFacts({ providerInvoiceId: invoiceId })
    const data = { invoiceId, companyId: COMPANY, saidAt: second(1), facts }
    await models.append(streamName('invoice', invoiceId), { type: 'InvoiceFinalized', data })
  }
  await models.rebuild(invoices)
  const queriedIds: string[] = []
  const ask = questions({
    invoice: async (id: string) => {
      queriedIds.push(id)
      return id === ids[0] ? refused() : OPEN
    },
  })
  await ask()
  expect(queriedIds).toHaveLength(INVOICES - 1)
  await ask()
  expect(queriedIds).toEqual(ids)
  await ask()
  expect(queriedIds).toEqual(ids)
})

test('an invoice that is known as paid only from an answer gets its lost payment event, which grants the credits', async () => {
  const clock = new ManualClock(Date.parse(second(30)))
  const stored = async (invoiceId: string, type: 'InvoiceAnswered' | 'InvoicePaid', saidAt: string) => {
    const facts = invoiceFacts({ status: 'PAID', providerInvoiceId: invoiceId })
    const data = { invoiceId, companyId: COMPANY, saidAt, facts }
    const more = type === 'InvoicePaid' ? { grant: null } : { askedAt: second(25) }
    await models.append(streamName('invoice', invoiceId), { type, data: { ...data, ...more } } as never)
  }
  await stored('in_answered', 'InvoiceAnswered', second(20))
  await stored('in_long_ago', 'InvoiceAnswered', isoTime(clock.now() - 4 * ASK_EVERY_MS))
  await stored('in_paid', 'InvoicePaid', second(20))
  await models.rebuild(invoices)
  const queriedIds: string[] = []
  const invoice = async (id: string) => {
    queriedIds.push(id)
    return { ...OPEN, status: 'paid' }
  }
  await questions({ invoice }, clock)()
  expect(queriedIds).toEqual(['in_answered'])
  expect(await reported()).toEqual(['invoice.paid'])
})

test('objects of others, unpaid sessions, drafts and what is known already are not reported', async () => {
  await models.append(streamName('purchase', PURCHASE), purchaseStarted())
  await models.rebuild(invoices)
  const pages: (string | null)[] = []
  const once =
    (items: object[]) =>
    async ({ after }: { after: string | null }) => {
      pages.push(after)
      return { items, next: after === null ? 'the last of the page' : null }
    }
  const charge = { id: 'ch_1', amount: 1_000, amount_refunded: 0 }
  const session = { mode: 'payment', status: 'complete', payment_status: 'paid', subscription: null }
  const ask = questions({
    invoicesSince: once([
      { ...OPEN, id: 'in_of_another_shop', status: 'paid', metadata: { companyId: 'acme' } },
      { ...OPEN, id: 'in_draft', status: 'draft', metadata: { companyId: COMPANY } },
    ]),
    refundsSince: once([
      { id: 're_of_another_shop', charge: { ...charge, amount_refunded: 500 } },
      { id: 're_of_no_invoice_of_ours', charge: { ...charge, id: 'ch_2', amount_refunded: 500, invoice: 'in_9' } },
      { id: 're_that_failed', charge: { ...charge, id: 'ch_3', metadata: { purchaseId: PURCHASE } } },
    ]),
    sessionsSince: once([
      { ...session, id: 'cs_of_another_shop' },
      { ...session, id: 'cs_unknown', metadata: { purchaseId: COMPANY } },
      { ...session, id: 'cs_unpaid', payment_status: 'unpaid', metadata: { purchaseId: PURCHASE } },
      { ...session, id: 'cs_open', status: 'open', metadata: { purchaseId: PURCHASE } },
    ]),
  })
  await ask()
  await ask()
  await ask()
  expect(pages).toEqual([...Array(3).fill(null), ...Array(3).fill('the last of the page')])
  expect(await reported()).toEqual([])
})

describe('a question that the provider does not answer', () => {
  const session = {
    ...{ id: 'cs_1', mode: 'payment', status: 'complete', payment_status: 'paid', subscription: null },
    metadata: { purchaseId: PURCHASE },
  }
  const sessionsSince = async () => ({ items: [session], next: null })
  beforeEach(async () => {
    await models.append(streamName('purchase', PURCHASE), purchaseStarted())
    await models.rebuild(invoices)
  })

  test('about new invoices keeps no other from being asked, and is asked again in the next round', async () => {
    let times = 0
    const invoicesSince = async () => {
      times++
      throw new PaymentProviderError('time-out', 'transient', null)
    }
    const ask = questions({ invoicesSince, sessionsSince })
    await expect(ask()).rejects.toThrow('time-out')
    expect(await reported()).toEqual(['checkout.session.completed'])
    await expect(ask()).rejects.toThrow('time-out')
    expect(times).toBe(2)
  })

  test('about one charge or subscription keeps no other object from being asked about', async () => {
    const charge = { id: 'ch_2', amount: 1_000, amount_refunded: 400, metadata: { purchaseId: PURCHASE } }
    const refunds = [
      { id: 're_1', charge: 'ch_1' },
      { id: 're_2', charge },
    ]
    const subscribed = { ...session, id: 'cs_0', mode: 'subscription', subscription: 'sub_1' }
    const ask = questions({
      refundsSince: async () => ({ items: refunds, next: null }),
      sessionsSince: async () => ({
        items: [{ ...subscribed, metadata: { companyId: COMPANY } }, session],
        next: null,
      }),
    })
    await ask()
    const completed = 'checkout.session.completed'
    expect(await reported()).toEqual(['charge.refund.updated', completed, completed])
  })
})
