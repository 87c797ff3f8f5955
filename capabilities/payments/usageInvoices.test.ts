import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../test/support/harness/sandbox.ts'
import { openPaymentProvider } from './paymentProvider.ts'
import { openUsageInvoices } from './usageInvoices.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

test('ensureContact refuses a customer without a mail address until the company has a person with one', async () => {
  const config = { STRIPE_API_BASE: sandbox.url, STRIPE_SECRET_KEY: 'sk_test_of_the_tests' }
  const invoices = openUsageInvoices(config)
  const customerId = await openPaymentProvider(config).createCustomer('company', null)
  const refused = invoices.ensureContact(customerId, { email: null, name: 'Acme' })
  await expect(refused).rejects.toMatchObject({
    fault: 'request',
    message: expect.stringMatching(
      /^invoices cannot be sent: Acme has no person with a mail address, .*Invite a person/,
    ),
  })
  await invoices.ensureContact(customerId, { email: 'owner@acme.example', name: 'Acme' })
  await invoices.ensureContact(customerId, { email: null, name: 'Acme' })
})
