import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/support/time/until.ts'
import { sendStream } from './sendStream.ts'

const PIECE = Buffer.alloc(64 * 1024, 'x')
/** More than the sockets of both sides buffer before a client that does not read holds up the sender. */
const PIECES_HELD_MAX = 500

let made = 0
let ended = 0
let failure: unknown = null
/** The number of pieces, and whether reading the next one fails. */
let source = { pieces: 3, fails: false }

async function* pieces(): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < source.pieces; at += 1) {
      made += 1
      yield PIECE
    }
    if (source.fails) throw new Error('the store is gone')
  } finally {
    ended += 1
  }
}

const server = createServer((_request, response) => {
  sendStream(response, { 'content-type': 'text/csv' }, pieces()).catch((error: unknown) => {
    failure = error
    if (!response.headersSent) response.writeHead(500).end()
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const open = (): Promise<IncomingMessage> => {
  ;[made, ended, failure] = [0, 0, null]
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => get({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject))
}

test('a client that takes everything gets every piece', async () => {
  source = { pieces: 3, fails: false }
  const answer = await open()
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  expect({ status: answer.statusCode, bytes, made, ended }).toEqual({
    status: 200,
    bytes: 3 * PIECE.length,
    made: 3,
    ended: 1,
  })
})

test('a client that does not read holds up the reading, and one that disconnects ends it without an error', async () => {
  source = { pieces: Number.POSITIVE_INFINITY, fails: false }
  const answer = await open()
  let seen = -1
  await until('nothing more is read', async () => {
    const isHeld = seen === made
    seen = made
    return isHeld && made > 1
  })
  expect(made).toBeLessThan(PIECES_HELD_MAX)
  answer.destroy()
  await until('the reading has ended', async () => ended === 1)
  expect(failure).toBeNull()
})

test('a failure cuts the answer off, so that a part is not taken for the whole', async () => {
  source = { pieces: 2, fails: true }
  const answer = await open()
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await expect(finished(answer)).rejects.toThrow('aborted')
  // Includes what was sent last, which may say why.
  expect(bytes).toBe(2 * PIECE.length)
  expect(failure).toMatchObject({ message: 'the store is gone' })
})

test('a failure before the first piece can be answered with a status', async () => {
  source = { pieces: 0, fails: true }
  expect((await open()).resume().statusCode).toBe(500)
})
