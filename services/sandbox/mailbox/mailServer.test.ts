import { once } from 'node:events'
import net from 'node:net'
import { expect, test } from 'vitest'
import { forwardingLog } from '../../../platform/logger/logger.ts'
import { until } from '../../../test/support/time/until.ts'
import type { Mailbox } from './mailbox.ts'
import { startMailServer } from './mailServer.ts'

/** The level of lines that are not written by default. */
const DEBUG = 20
/** No mail arrives in this test. */
const NO_MAILBOX = {} as Mailbox

test('clients that leave in the middle of a session fill no log', async () => {
  const lines: string[] = []
  const log = forwardingLog('debug', (line) => void lines.push(line))
  const server = await startMailServer(NO_MAILBOX, { host: '127.0.0.1', port: 0, log })
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'data')
  socket.write('EHLO a\r\nMAIL FROM:<a@b.example>\r\n')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await until('a mail has begun', () => text.includes('Accepted'))
  socket.write('NOOP\r\n'.repeat(100))
  socket.resetAndDestroy()
  await until('the failure is noticed', () => lines.some((line) => line.includes('mail client connection failed')))
  await server.close()
  expect(lines.filter((line) => JSON.parse(line).level > DEBUG)).toEqual([])
})
