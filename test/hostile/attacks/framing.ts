import type { AttackedRoute } from '../routes.ts'
import { proofOf, requestTo } from '../validRequest.ts'
import { headOf, type WireCase } from '../wireCase.ts'

const CHUNKED = { 'transfer-encoding': 'chunked', 'content-length': null }

/** Violations of HTTP itself. */
export function framingAttacks(route: AttackedRoute): WireCase[] {
  const change = (changes: Parameters<typeof requestTo>[1]) => requestTo(route, changes)
  return [
    change({ name: 'half-closed after the request', ending: 'finish', status: 'any' }),
    change({ name: 'HTTP/1.0', version: '1.0' }),
    change({ name: 'without a Host', headers: { host: null } }),
    change({
      name: 'both Content-Length and Transfer-Encoding',
      headers: { 'content-length': 5, 'transfer-encoding': 'chunked' },
      body: ['0\r\n\r\n'],
    }),
    change({ name: 'a Content-Length that is no number', headers: { 'content-length': '1e3' }, body: ['x'] }),
    change({ name: 'a negative Content-Length', headers: { 'content-length': '-1' }, body: ['x'] }),
    change({ name: 'chunks', headers: CHUNKED, body: ['2\r\n{}\r\n0\r\n\r\n'] }),
    change({ name: 'a chunk size that is no number', headers: CHUNKED, body: ['zz\r\n{}\r\n0\r\n\r\n'] }),
    change({ name: 'a chunk size beyond any integer', headers: CHUNKED, body: ['ffffffffffffffffff\r\n{}\r\n'] }),
    change({ name: 'chunk extensions of 20 KB', headers: CHUNKED, body: [`2;${'a'.repeat(20_000)}\r\n{}\r\n`] }),
    change({ name: 'an unknown transfer coding', headers: { 'transfer-encoding': 'gzip, chunked, identity' } }),
    change({ name: 'a header of 20 KB', headers: { 'x-long': 'a'.repeat(20_000) } }),
    change({
      name: '2,100 headers',
      headers: Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`x${n}`, 'a'])),
    }),
    change({ name: 'Expect: 100-continue', headers: { expect: '100-continue' } }),
    change({ name: 'an unknown expectation', headers: { expect: 'a-miracle' } }),
    change({ name: 'an upgrade to HTTP/2', headers: { connection: 'upgrade, http2-settings', upgrade: 'h2c' } }),
    change({ name: 'a whole URL as the target', path: `http://other.example${route.path}` }),
    { ...change({ name: 'two requests at once' }), head: twice(route), body: [], mayHang: true },
    { ...change({ name: '1,000 requests at once' }), ...pipelined(route), mayHang: true },
    { ...change({ name: 'a NUL in a header' }), head: rawHeader(route, 'x-nul: a\u0000b'), body: [] },
    { ...change({ name: 'a folded header' }), head: rawHeader(route, 'x-folded: a\r\n b'), body: [] },
    { ...change({ name: 'a bare line feed' }), head: rawHeader(route, 'x-a: b\nx-c: d'), body: [] },
    { ...change({ name: 'not HTTP at all' }), head: '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', body: [] },
  ]
}

function twice(route: AttackedRoute): string {
  const head = headOf('GET', route.path, { headers: { ...proofOf(route), connection: 'keep-alive' } })
  return head + headOf('GET', route.path, { headers: proofOf(route) })
}

/** About as many bytes as a server reads at once. */
function pipelined(route: AttackedRoute): Pick<WireCase, 'head' | 'body'> {
  const head = headOf('GET', route.path, { headers: { host: 'a', connection: null } })
  return { head, body: [{ repeat: head, times: 1_000 }] }
}

function rawHeader({ path }: AttackedRoute, line: string): string {
  return headOf('GET', path).replace('\r\n\r\n', `\r\n${line}\r\n\r\n`)
}
