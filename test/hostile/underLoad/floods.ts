import { getIntrospectionQuery } from 'graphql'
import { headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'
import { COMPANY_FLOODS } from './companyFloods.ts'
import type { Flood } from './flood.ts'

/** Held connections are opened again when they are closed, but not faster than this. */
const REOPENED_PER_SECOND = 200
/** 200 MB a second, as much as a fast line carries. */
const UPLOADS_PER_SECOND = 20
/** A repeated request costs its sender little; the point is what it costs to answer. */
const REPEATED_PER_SECOND = 20
const REPEATED_AT_ONCE = 4
const INTROSPECTIONS_PER_SECOND = 50
/** What a connection of a stream sends at once, as much as a server reads at once. */
const STREAMED_BYTES = 64 * 1024
/** The first bytes of frames of a WebSocket. */
const TEXT = 0x81
const PING = 0x89
const CONTINUATION = 0x01

const JSON_TYPE = { 'content-type': 'application/json' }
const UPLOAD_BYTES = 10 * 1024 * 1024

/** Connections that take places and never finish what they began. */
const HELD: readonly Flood[] = [
  held('one body byte without a key', 5_010, halfSent('gateway', '/llm/v1/chat/completions')),
  held('half-sent GraphQL operations', 500, halfSent('backend', '/graphql')),
  held('half-sent webhooks', 500, halfSent('backend', '/payments/webhook')),
  held('half-sent uploads', 80, halfSentUpload('backend', '/graphql', 'Bearer no-token')),
  held(
    'half-sent documents with a key that has no credits',
    80,
    halfSentUpload('gateway', '/llm/v1/parse/cv', 'Bearer {{poorKey}}'),
  ),
  held(
    'half-sent calls with a key that has no credits',
    2_000,
    halfSent('gateway', '/llm/v1/chat/completions', 'Bearer {{poorKey}}'),
  ),
  held('WebSockets without a token', 200, webSocket()),
  held('half-sent heads', 500, {
    ...halfSent('gateway', '/'),
    head: 'POST /llm/v1/chat/completions HTTP/1.1\r\nhost: a\r\n',
  }),
]

const aliases = Array.from(
  { length: 29 },
  (_, n) => `a${n}: __schema { types { name fields { name args { name } type { name ofType { name } } } } }`,
)
const introspections = JSON.stringify(Array.from({ length: 10 }, () => ({ query: `{ ${aliases.join(' ')} }` })))
const longDocuments = JSON.stringify(
  Array.from({ length: 10 }, (_, n) => ({ query: `{ ${'whoAmI { id } '.repeat(390)} b${n}: whoAmI { id } }` })),
)

/** Requests that are cheap to send and expensive to answer. */
const REPEATED: readonly Flood[] = [
  repeated('batches of aliased introspections', post('backend', '/graphql', [introspections])),
  repeated('batches of long documents', post('backend', '/graphql', [longDocuments])),
  repeated('10 MiB of [', poor([{ repeat: '[', times: UPLOAD_BYTES - 10 }])),
  repeated('1.7 million tiny members', poor(['{', { repeat: '"a":0,', times: 1_700_000 }, '"b":0}'])),
  repeated(
    '10 MiB that end in a wrong field',
    poor(['{"messages":[', { repeat: '{"role":"user","content":"a"},', times: 330_000 }, '0]}']),
  ),
  repeated('mails of nested parts', mail({ repeat: 'Content-Type: message/rfc822\r\n\r\n', times: 5_800 })),
  repeated('mails of many addresses', mail({ repeat: 'To: a: b, c <d@e>, (f) "g;', times: 7_000 })),
]

/** A file for the last element of a list of four billion. */
const farElement = [
  '--b\r\ncontent-disposition: form-data; name="operations"\r\n\r\n',
  '{"query":"mutation ($i: PostJobInput!) { postJob(input: $i) { id } }","variables":{"i":{"title":"x","requirements":[]}}}',
  '\r\n--b\r\ncontent-disposition: form-data; name="map"\r\n\r\n{"0":["variables.i.requirements.4294967294"]}',
  '\r\n--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\nx\r\n--b--\r\n',
]
const guess = JSON.stringify({ query: 'mutation { login(email: "admin@example.org", password: "guess") { token } }' })

/** Requests without credentials of which each is small, many times a second. */
const ANONYMOUS: readonly Flood[] = [
  repeated('files for elements that do not exist', {
    ...post('backend', '/graphql', farElement),
    head: headOf('POST', '/graphql', {
      headers: {
        'content-type': 'multipart/form-data; boundary=b',
        'graphql-require-preflight': 1,
        'content-length': lengthOf(farElement),
      },
    }),
  }),
  {
    ...repeated(
      'standard introspection queries',
      post('backend', '/graphql', [JSON.stringify({ query: getIntrospectionQuery() })]),
    ),
    perSecond: INTROSPECTIONS_PER_SECOND,
  },
  repeated('guesses of the password of one account', post('backend', '/graphql', [guess])),
  streamed('pipelined requests to the backend', 'backend', '', 'GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n'),
  streamed('pipelined requests to the gateway', 'gateway', '', 'GET /llm/v1/models HTTP/1.1\r\nhost: a\r\n\r\n'),
  streamed('pings of the protocol over WebSockets', 'backend', webSocket().head, frame(TEXT, '{"type":"ping"}')),
  streamed('pings of WebSockets', 'backend', webSocket().head, frame(PING, '')),
  streamed('empty frames of one WebSocket message', 'backend', webSocket().head, frame(CONTINUATION, '')),
]

export const FLOODS: readonly Flood[] = [...HELD, ...REPEATED, ...ANONYMOUS, ...COMPANY_FLOODS]

/** Sends the text as often as it fits into STREAMED_BYTES, and that again and again. */
function streamed(name: string, service: 'gateway' | 'backend', head: string, text: string | Buffer): Flood {
  const bytes = Buffer.from(text)
  const many = Buffer.concat(Array.from({ length: Math.floor(STREAMED_BYTES / bytes.length) }, () => bytes))
  const sent = { name, service, head, body: [{ base64: many.toString('base64') }], mayHang: true }
  return { name, kind: 'stream', connections: REPEATED_AT_ONCE, perSecond: REPEATED_PER_SECOND, sent }
}

/** A short frame of a client, with a mask of zeros, which changes nothing. */
function frame(first: number, payload: string): Buffer {
  return Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)])
}

function held(name: string, connections: number, sent: WireCase): Flood {
  const isLarge = lengthOf(sent.body ?? []) > UPLOAD_BYTES / 2
  return { name, kind: 'hold', connections, perSecond: isLarge ? UPLOADS_PER_SECOND : REOPENED_PER_SECOND, sent }
}

function repeated(name: string, sent: WireCase): Flood {
  return { name, kind: 'repeat', connections: REPEATED_AT_ONCE, perSecond: REPEATED_PER_SECOND, sent }
}

function halfSent(service: 'gateway' | 'backend', path: string, authorization: string | null = null): WireCase {
  const headers = { ...JSON_TYPE, authorization, connection: null, 'content-length': 1_000 }
  return { name: path, service, head: headOf('POST', path, { headers }), body: ['{'], mayHang: true }
}

function halfSentUpload(service: 'gateway' | 'backend', path: string, authorization: string): WireCase {
  const headers = {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': UPLOAD_BYTES,
    ...{ authorization, connection: null },
  }
  const body = [
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n',
    { repeat: 'a', times: UPLOAD_BYTES - 1_000 },
  ]
  return { name: path, service, head: headOf('POST', path, { headers }), body, mayHang: true }
}

function webSocket(): WireCase {
  const headers = {
    ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': 13 },
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': 'graphql-transport-ws',
  }
  return { name: 'WebSocket', service: 'backend', head: headOf('GET', '/graphql', { headers }), mayHang: true }
}

function post(
  service: 'gateway' | 'backend',
  path: string,
  body: readonly Piece[],
  authorization: string | null = null,
): WireCase {
  const headers = { ...JSON_TYPE, authorization, 'content-length': lengthOf(body) }
  return { name: path, service, head: headOf('POST', path, { headers }), body }
}

/** A call of a company without credits. */
function poor(body: readonly Piece[]): WireCase {
  return post('gateway', '/llm/v1/chat/completions', body, 'Bearer {{poorKey}}')
}

function mail(piece: Piece): WireCase {
  const head = 'EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n'
  return { name: 'mail', service: 'mail', head, body: [piece, '\r\n.\r\nQUIT\r\n'], mayHang: true }
}
