import { once } from 'node:events'
import net from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { REQUEST_BODY_BYTES_MAX } from '../../../contracts/limits.ts'
import { CHAT, chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { until } from '../../support/time/until.ts'

const MIB = 1024 * 1024
const PIECE_BYTES = 256 * 1024
const LARGE = Buffer.alloc(20 * MIB, 'x')
let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterAll(() => gateway.close())
afterEach(async () => {
  expect((await gateway.call('/llm/v1/models')).status).toBe(200)
  expect((await gateway.ledgerOf(gateway.companyId)).every(({ type }) => type !== 'CallCharged')).toBe(true)
})

type Upload = {
  readonly keepAlive: boolean
  readonly chunked: boolean
  readonly key?: string
  readonly encoding?: string
}

/** Like a simple client: sends everything, then reads. */
async function upload({ keepAlive, chunked, key = gateway.key.raw, encoding }: Upload) {
  const { hostname, port } = new URL(gateway.url)
  const socket = net.connect(Number(port), hostname)
  const received: Buffer[] = []
  const closed = once(socket, 'close')
  closed.catch(() => {})
  const head = [
    `POST ${CHAT} HTTP/1.1`,
    'host: gateway',
    `connection: ${keepAlive ? 'keep-alive' : 'close'}`,
    `authorization: Bearer ${key}`,
    chunked ? 'transfer-encoding: chunked' : `content-length: ${LARGE.length}`,
    ...(encoding ? [`content-encoding: ${encoding}`] : []),
  ]
  await written(socket, `${head.join('\r\n')}\r\n\r\n`)
  for (let at = 0; at < LARGE.length; at += PIECE_BYTES) {
    const piece = LARGE.subarray(at, at + PIECE_BYTES)
    if (chunked) await written(socket, `${piece.length.toString(16)}\r\n`)
    await written(socket, piece)
    if (chunked) await written(socket, '\r\n')
  }
  if (chunked) await written(socket, '0\r\n\r\n')
  socket.on('data', (bytes) => received.push(bytes))
  const text = () => Buffer.concat(received).toString()
  await until('the answer is there', () => text().endsWith('}}'))
  // The body was refused, so the connection is closed, and the answer says so.
  await closed
  expect(text()).toMatch(/^connection: close\r$/im)
  const [, status, body] = /^HTTP\/1.1 (\d+) [\s\S]*?\r\n\r\n(\{.*?\}\})/.exec(text()) ?? []
  return { status: Number(status), error: JSON.parse(body ?? '').error }
}

function written(socket: net.Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
}

describe('413: a body of 20 MiB', () => {
  for (const keepAlive of [true, false])
    for (const chunked of [false, true]) {
      const how = `${chunked ? 'in chunks' : 'with its length'}, asking to ${keepAlive ? 'keep' : 'close'} the connection`
      test(`${how}: the caller gets the answer`, async () => {
        const answer = await upload({ keepAlive, chunked })
        expect(answer.status).toBe(413)
        expect(answer.error).toMatchObject({ type: 'invalid_request_error', code: 'INVALID_REQUEST' })
      })
    }

  test('by fetch', async () => {
    const headers = { authorization: `Bearer ${gateway.key.raw}` }
    const answer = await fetch(new URL(CHAT, gateway.url), { method: 'POST', headers, body: LARGE })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
  })

  test.each([
    ['415, compressed', { encoding: 'gzip' }, 415],
    ['401, with a wrong key', { key: 'tg_wrong' }, 401],
  ])('is refused sooner for another reason: %s', async (_, changes, status) => {
    for (const keepAlive of [true, false]) {
      expect((await upload({ keepAlive, chunked: false, ...changes })).status).toBe(status)
    }
  })
})

test('a body of exactly the limit is accepted, one byte more is not', async () => {
  const around = JSON.stringify(chatBody({ user: '' })).length
  const sized = (bytes: number) => JSON.stringify(chatBody({ user: 'x'.repeat(bytes - around) }))
  expect((await gateway.chat(sized(REQUEST_BODY_BYTES_MAX + 1))).status).toBe(413)
  const answer = await gateway.chat(sized(REQUEST_BODY_BYTES_MAX), { key: await unpaid() })
  expect(answer.status).toBe(402)
})

async function unpaid(): Promise<string> {
  return (await gateway.mintKey(await gateway.registerCompany())).raw
}
