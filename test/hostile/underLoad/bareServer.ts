import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Reads what it is sent and refuses it, as little as any server can do. What it costs others, a flood costs everywhere. */
const server = http.createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(401, { connection: 'close' }).end())
})
process.once('disconnect', () => process.exit())
await once(server.listen(0, '127.0.0.1'), 'listening')
process.send?.((server.address() as AddressInfo).port)
