import fc from 'fast-check'
import type { AttackedRoute } from '../routes.ts'
import { requestTo } from '../validRequest.ts'
import { bytesOf, type WireCase } from '../wireCase.ts'
import { documentOf, mutated } from './documents.ts'
import { anyText, hostileJson, repeated } from './hostileValues.ts'

/** Bodies that are nearly what the route's schema allows. */
export function jsonCases(routes: readonly AttackedRoute[]): fc.Arbitrary<WireCase> {
  const taking = routes.filter(({ bodies }) => 'application/json' in bodies)
  return fc.constantFrom(...taking).chain((route) => {
    const document = documentOf(route.bodies['application/json'] ?? {})
    return mutated(document).map((body) =>
      requestTo(route, { name: 'mutated JSON', body, headers: { 'content-type': 'application/json' } }),
    )
  })
}

const FORM_NAMES = [
  ...['amount', 'currency', 'customer', 'email', 'metadata[a]', 'items[0][price]', 'items[0][quantity]', 'expand[]'],
  ...['line_items[0][price]', 'line_items[0][quantity]', 'mode', 'success_url', 'cancel_url', 'product', 'unit_amount'],
  ...['recurring[interval]', 'name', 'id', 'lookup_key', 'charge', 'payment_intent', 'outcome', 'limit', 'due_date'],
]

const formField = fc
  .tuple(
    fc.oneof(fc.constantFrom(...FORM_NAMES), anyText),
    fc.oneof(anyText, fc.constantFrom('1', '-1', '1e9', 'eur', 'subscription')),
  )
  .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)

/** Forms of the payment provider's API and pages. */
export function formCases(routes: readonly AttackedRoute[]): fc.Arbitrary<WireCase> {
  const taking = routes.filter(({ bodies }) => 'application/x-www-form-urlencoded' in bodies)
  const body = fc.oneof(
    { weight: 5, arbitrary: fc.array(formField, { maxLength: 8 }).map((fields) => [fields.join('&')]) },
    {
      weight: 1,
      arbitrary: repeated('a=1&', '%', 'a[b]', 'a[]=1&', '&', '=', 'a[0][b][c]=1&').map((piece) => [piece]),
    },
    { weight: 1, arbitrary: hostileJson },
  )
  return fc.tuple(fc.constantFrom(...taking), body, anyText).map(([route, pieces, id]) =>
    requestTo(route, {
      name: 'a mutated form',
      body: pieces,
      path: route.path.replace('some-id', encodeURIComponent(id.toWellFormed()) || 'x'),
    }),
  )
}

const HEADERS = [
  ...['host', 'origin', 'referer', 'accept', 'accept-encoding', 'accept-language', 'content-type', 'content-encoding'],
  ...['content-length', 'transfer-encoding', 'authorization', 'idempotency-key', 'x-forwarded-for', 'x-request-id'],
  ...['range', 'if-none-match', 'cookie', 'te', 'trailer', 'expect', 'upgrade', 'connection', 'traceparent'],
  ...['stripe-signature', 'stripe-version', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'],
  ...['graphql-require-preflight', 'sec-websocket-key', 'sec-websocket-version', 'http2-settings'],
]

const headerValue = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'gzip',
    'chunked',
    'websocket',
    '100-continue',
    'Bearer {{key}}',
    'Bearer x',
    '*/*',
  ),
  fc.constantFrom(
    'multipart/form-data; boundary="',
    'application/json; charset=utf-16',
    'text/event-stream',
    'bytes=0-',
  ),
  repeated('a', 'a,', 'a;', '1.2.3.4,', '=', '"').map((piece) => bytesOf(piece).toString().slice(0, 15_000)),
)

/** Headers with values that they should not have; requests may be incomplete by what they say. */
export function headerCases(routes: readonly AttackedRoute[]): fc.Arbitrary<WireCase> {
  const headers = fc.dictionary(fc.constantFrom(...HEADERS), headerValue, { minKeys: 1, maxKeys: 4 })
  return fc
    .tuple(fc.constantFrom(...routes), headers)
    .map(([route, sent]) => ({ ...requestTo(route, { name: 'mutated headers', headers: sent }), mayHang: true }))
}

const querySign = fc.oneof(
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('&', '=', '%', '[', ']', ';', '+', '/', '..', '%ff', 'limit', 'after', 'group_by', 'from', 'level'),
)

/** Paths and queries. */
export function targetCases(routes: readonly AttackedRoute[]): fc.Arbitrary<WireCase> {
  const text = fc.array(querySign, { maxLength: 30 }).map((signs) => signs.join(''))
  return fc.tuple(fc.constantFrom(...routes), text, text, fc.boolean()).map(([route, query, segment, isQuery]) => {
    const path = isQuery ? `${route.path}?${query}` : `${route.path.replace(/[^/]*$/, '')}${segment}`
    return requestTo(route, { name: 'a mutated URL', path: path.replace(/\s/g, '') })
  })
}

type Cut = { readonly at: number; readonly length: number; readonly insert: string; readonly again: boolean }

const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.nat({ max: 2_000 }),
  length: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
  insert: fc.constantFrom(
    '',
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    ' ',
    ':',
    '\u0000',
    '0',
    'ffffffff',
    'HTTP/9.9',
    'chunked',
    '\u00ff',
  ),
  again: fc.boolean(),
})

/** The bytes of a valid request with parts cut out, put in or repeated. */
export function framingCases(routes: readonly AttackedRoute[]): fc.Arbitrary<WireCase> {
  return fc.tuple(fc.constantFrom(...routes), fc.array(cut, { minLength: 1, maxLength: 4 })).map(([route, cuts]) => {
    const { head, body = [], ...rest } = requestTo(route, { name: 'mutated framing' })
    // The head is filled in as one text, so that no placeholder of a credential is cut.
    const whole = cuts.reduce(
      (text, { at, length, insert, again }) => {
        const place = at % (text.length + 1)
        const removed = again ? '' : text.slice(place, place + length)
        return (
          text.slice(0, place) +
          insert +
          (again ? text.slice(place, place + length) : '') +
          text.slice(place + removed.length)
        )
      },
      head + Buffer.concat(body.map(bytesOf)).toString('latin1'),
    )
    return {
      ...rest,
      head: whole.replace(/\{\{(?!key\}\}|internal\}\}|admin\}\}|payment\}\}|signature\}\})/g, '{'),
      body: [],
      mayHang: true,
    }
  })
}
