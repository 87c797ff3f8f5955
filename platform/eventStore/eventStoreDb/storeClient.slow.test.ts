import { once } from 'node:events'
import net from 'node:net'
import { expect, test } from 'vitest'
import { reusablePorts } from '../../../test/support/processes/reusablePorts.ts'
import { systemClock } from '../../clock/clock.ts'
import { StoreConnections } from './connection/storeConnections.ts'
import { newestRequest } from './reads/readRequest.ts'

const CLIENTS = 5
/** gRPC libraries retry a failed connection after about a second. */
const RECONNECT_MS = 2_500

test('clients that were given up during an outage do not connect when the server is back', async () => {
  const [port] = await reusablePorts(1)
  const connections = new StoreConnections(`esdb://127.0.0.1:${port}?tls=false`, systemClock)
  for (let n = 0; n < CLIENTS; n++) {
    const client = connections.another()
    const call = await client.openRead(newestRequest())
    await new Promise((resolve) => call.on('error', resolve))
    client.retire()
  }
  let accepted = 0
  const server = net.createServer(() => accepted++).listen(port, '127.0.0.1')
  await once(server, 'listening')
  await systemClock.delay(RECONNECT_MS)
  expect(accepted).toBe(0)
  connections.close()
  server.close()
})
