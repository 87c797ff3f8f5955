import { expect, test } from 'vitest'
import { PaymentProviderError } from '../../capabilities/payments/paymentProvider.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { invoices } from '../../projections/invoices/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { COMPANY, invoiceFacts, second } from '../../test/support/events/billingEvents.ts'
import { createProviderQuestions } from './askProvider.ts'

type Parts = Parameters<typeof createProviderQuestions>[0]

/** More than one round queries. */
const INVOICES = 51

test('every open invoice is queried once, round by round, even if the provider refuses one', async () => {
  const models = await ReadModels.open()
  const ids = Array.from({ length: INVOICES }, (_, n) => `in_${String(n).padStart(2, '0')}`)
  for (const invoiceId of ids) {
    const facts = invoiceFacts({ providerInvoiceId: invoiceId })
    const data = { invoiceId, companyId: COMPANY, saidAt: second(1), facts }
    await models.append(streamName('invoice', invoiceId), { type: 'InvoiceFinalized', data })
  }
  await models.rebuild(invoices)
  const queriedIds: string[] = []
  const none = async () => ({ items: [], next: null })
  const provider = {
    ...{ invoicesSince: none, refundsSince: none, sessionsSince: none },
    invoice: async (id: string) => {
      queriedIds.push(id)
      if (id === ids[0]) throw new PaymentProviderError('no such invoice', 'request', null)
      return { status: 'open', attempted: false, total: 4_900, currency: 'usd', created: 1, subscription: null }
    },
  }
  const { log } = openLog({ level: 'silent', file: null })
  const { database, store } = models
  const parts = { engines: { database, store }, clock: systemClock, log, provider, holder: 'the test' }
  const ask = createProviderQuestions({ ...parts, stopping: new AbortController().signal } as unknown as Parts)
  await ask()
  expect(queriedIds).toHaveLength(INVOICES - 1)
  await ask()
  expect(queriedIds).toEqual(ids)
  await ask()
  expect(queriedIds).toEqual(ids)
  await models.close()
})
