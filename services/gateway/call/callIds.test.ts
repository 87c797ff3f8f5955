import { expect, test } from 'vitest'
import { chatBody } from '../../../test/support/harness/gatewayClient.ts'
import { useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import { completion, whole } from '../../../test/support/parties/scriptedProvider.ts'

const used = useGateway()

test('the charge of a call is stored under a UUID of version 7, which begins with the time', async () => {
  used.gateway.provider.next(whole(completion()))
  const { headers } = await used.gateway.call('/chat/completions', { key: used.key, body: chatBody() })
  const [charge] = used.gateway.eventsOf(String(headers['x-request-id']))
  expect(charge).toMatchObject({ type: 'CallCharged', id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) })
})
