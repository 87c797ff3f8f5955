import fc from 'fast-check'
import { bytesOf, headOf, type Piece, type WireCase } from '../wireCase.ts'
import { mutated } from './documents.ts'
import { graphqlBody } from './graphqlCases.ts'
import { anyText, hostileJson, repeated } from './hostileValues.ts'

const FRAME_BYTES_MAX = 300_000

/** A frame of a client; every part of it may be wrong. */
function frame(
  opcode: number,
  payload: Buffer,
  { isMasked = true, isFinal = true, stated = payload.length } = {},
): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode
  const maskBit = isMasked ? 0x80 : 0
  const head =
    stated < 126
      ? Buffer.from([first, maskBit | stated])
      : stated < 65_536
        ? Buffer.from([first, maskBit | 126, stated >> 8, stated & 0xff])
        : Buffer.concat([Buffer.from([first, maskBit | 127]), lengthBytes(stated)])
  // A mask of zeros changes nothing.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload])
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return bytes
}

const init = { type: 'connection_init', payload: { authorization: 'Bearer x' } }
const message = fc.oneof(
  {
    weight: 3,
    arbitrary: mutated(
      fc.constantFrom<unknown>(init, { type: 'ping' }, { type: 'complete', id: '1' }, { type: 'pong', payload: {} }),
    ),
  },
  {
    weight: 3,
    arbitrary: graphqlBody.map((body): readonly Piece[] => ['{"type":"subscribe","id":"1","payload":', ...body, '}']),
  },
  { weight: 1, arbitrary: hostileJson },
  { weight: 1, arbitrary: anyText.map((text): readonly Piece[] => [text]) },
)

const payloadFrame = message.map((pieces) => frame(1, Buffer.concat(pieces.map(bytesOf)).subarray(0, FRAME_BYTES_MAX)))
const oddFrame = fc
  .record({
    opcode: fc.nat({ max: 15 }),
    payload: fc.uint8Array({ maxLength: 200 }),
    isMasked: fc.boolean(),
    isFinal: fc.boolean(),
    lie: fc.constantFrom(0, 0, 1, 100_000, 2 ** 40),
  })
  .map(({ opcode, payload, lie, ...rest }) =>
    frame(opcode, Buffer.from(payload), { ...rest, stated: payload.length + lie }),
  )

/** WebSockets: the handshake, and messages that are nearly the protocol's. The socket may stay open, as it should. */
export function socketCases(): fc.Arbitrary<WireCase> {
  const frames = fc.array(fc.oneof({ weight: 4, arbitrary: payloadFrame }, { weight: 1, arbitrary: oddFrame }), {
    maxLength: 6,
  })
  const isSignedIn = fc.boolean()
  return fc.tuple(frames, isSignedIn).map(([sent, hasToken]) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'graphql-transport-ws',
      authorization: hasToken ? 'Bearer {{admin}}' : null,
    }
    const opened = frame(1, Buffer.from(JSON.stringify({ type: 'connection_init' })))
    const body = [...(hasToken ? [opened] : []), ...sent].map((bytes) => ({ base64: bytes.toString('base64') }))
    return {
      name: 'backend WebSocket /graphql: mutated messages',
      service: 'backend',
      head: headOf('GET', '/graphql', { headers }),
      body,
      ending: 'finish',
      mayHang: true,
    }
  })
}

const MIME = [
  ...[
    'From: a@b.example\r\n',
    'Subject: =?utf-8?q?=00?=\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\n',
    '--b\r\n',
    '--b--\r\n',
  ],
  ...[
    'Content-Type: message/rfc822\r\n\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    'Content-Type: text/html\r\n',
    '\r\n',
    '<p>a</p>\r\n',
  ],
  ...[
    'To: a, b, "c" <d@e>\r\n',
    ' folded\r\n',
    '=?utf-8?b?',
    'Message-ID: <a@b>\r\n',
    '&nbsp;',
    '<a href="',
    '(',
    '"',
    '<',
  ],
]

/** Mails to the sandbox. */
export function mailCases(): fc.Arbitrary<WireCase> {
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...MIME) },
    { weight: 2, arbitrary: repeated(...MIME) },
    { weight: 1, arbitrary: anyText },
  )
  return fc.array(line, { maxLength: 10 }).map((lines) => ({
    name: 'sandbox mail: a mutated mail',
    service: 'mail',
    head: 'EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n',
    body: [...lines, '\r\n.\r\nQUIT\r\n'],
    mayHang: true,
  }))
}
