import net from 'node:net'
import { expect, test } from 'vitest'
import { LiveTail } from './liveTail.ts'

test('close while the tail connects to a black hole', async () => {
  const server = net.createServer({ allowHalfOpen: true }, (s) => s.on('error', () => {}))
  await new Promise<void>((r) => server.listen(0, '127.0.0.1', r))
  const url = `postgres://a:b@127.0.0.1:${(server.address() as net.AddressInfo).port}/x`
  const tail = new LiveTail(url, async () => [])
  const end = new AbortController()
  const more = tail.more(0, end.signal)
  for (let i = 0; i < 50; i++) await new Promise(setImmediate)
  const closed = await Promise.race([tail.close().then(() => true), new Promise((r) => setTimeout(r, 4000, false))])
  console.log('closed', closed)
  end.abort()
  await more
})
