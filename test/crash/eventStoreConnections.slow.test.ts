import { afterEach, expect, test } from 'vitest'
import { EventStoreNode } from '../support/eventStores/eventStoreNode/node.ts'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'

/** One runs the services, the other one projector and reactor. */
const THREADS = 2
/** For appends, for reads and for the subscription. */
const CONNECTIONS_PER_THREAD = 3

let node: EventStoreNode | null = null
let installation: Installation | null = null
afterEach(async () => {
  await installation?.stop()
  await node?.stop()
})

test('npm start on EventStoreDB has one subscription and at most three connections for each thread', async () => {
  const store = await EventStoreNode.start()
  node = store
  installation = await startInstallation({ EVENTSTORE_URL: store.url, SANDBOX: '1' })
  const { gatewayUrl, apiKey } = installation.demo
  const call = () =>
    fetch(`${gatewayUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'hello' }] }),
    })
  expect((await call()).status).toBe(200)
  await until('every follower has caught up', () => store.subscriptions === THREADS)
  expect((await call()).status).toBe(200)
  expect(store.subscriptions).toBe(THREADS)
  expect(store.connections).toBeLessThanOrEqual(THREADS * CONNECTIONS_PER_THREAD)
})
