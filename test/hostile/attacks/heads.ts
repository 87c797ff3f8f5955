import type { AttackedRoute } from '../routes.ts'
import { requestTo } from '../validRequest.ts'
import type { WireCase } from '../wireCase.ts'

const OTHER_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH']

/** Attacks through request lines and headers. */
export function headAttacks(route: AttackedRoute): WireCase[] {
  const change = (changes: Parameters<typeof requestTo>[1]) => requestTo(route, changes)
  const { path, method } = route
  const last = path.slice(path.lastIndexOf('/') + 1)
  const parent = path.slice(0, path.length - last.length)
  return [
    ...OTHER_METHODS.filter((other) => other !== method).map((other) =>
      change({ name: `the method ${other}`, method: other, ...(other === 'HEAD' ? { ending: 'finish' } : {}) }),
    ),
    ...['%00', '%ff', '%', '%2e%2e%2f', 'a'.repeat(7_000), '%F0%9F%92%A9', '__proto__', 'constructor'].map((segment) =>
      change({ name: `the last segment ${segment.slice(0, 20)}`, path: `${parent}${segment}` }),
    ),
    ...['//', '/.', '/..', ';a=b', '#fragment'].map((end) =>
      change({ name: `a path that ends with ${end}`, path: path + end }),
    ),
    ...['?%00', '?a=%ff', '?__proto__=1', '?a[b][c]=1', `?${'a=1&'.repeat(1_500)}`, '?limit=-1', '?limit=1e99'].map(
      (query) => change({ name: `the query ${query.slice(0, 20)}`, path: path + query }),
    ),
    ...['multipart/mixed', 'text/event-stream', '*/*;q=0', 'a'.repeat(4_000), '\u00ff\u0001'.slice(0, 1)].map(
      (accept) => change({ name: `Accept: ${accept.slice(0, 20)}`, headers: { accept } }),
    ),
    ...['other.example', '127.0.0.1.other.example', '', 'a b', '[::1', '127.0.0.1:99999'].map((host) =>
      change({ name: `Host: ${host}`, headers: { host } }),
    ),
    ...['http://other.example', 'null', 'http://127.0.0.1.other.example'].map((origin) =>
      change({ name: `Origin: ${origin}`, headers: { origin } }),
    ),
    ...['gzip', 'br', 'identity, gzip', 'x'].map((encoding) =>
      change({ name: `Content-Encoding: ${encoding}`, headers: { 'content-encoding': encoding } }),
    ),
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'a',
    ].map((type) => change({ name: `Content-Type: ${type}`, headers: { 'content-type': type } })),
    ...['Bearer', 'Bearer ', 'Basic YTpi', `Bearer ${'a'.repeat(8_000)}`, 'Bearer \u00ff', 'Bearer a, Bearer b'].map(
      (authorization) => change({ name: `Authorization: ${authorization.slice(0, 20)}`, headers: { authorization } }),
    ),
    ...['', 'a'.repeat(300), '\u00e9', 'a, b'].map((key) =>
      change({ name: `Idempotency-Key: ${key.slice(0, 10)}`, headers: { 'idempotency-key': key } }),
    ),
    change({ name: 'X-Forwarded-For of 8 KB', headers: { 'x-forwarded-for': '1.2.3.4,'.repeat(1_000) } }),
  ]
}
