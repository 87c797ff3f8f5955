import type { AttackedRoute } from '../routes.ts'
import { type Changes, exampleOf, requestTo, validBody } from '../validRequest.ts'
import type { Piece, WireCase } from '../wireCase.ts'

/** Small enough for every route's body. */
const BYTES = 60_000

/** Attacks through the body. Every route gets them, even those that read none. */
export function bodyAttacks(route: AttackedRoute): WireCase[] {
  if (route.method === 'GET') return [withBody(route, { name: 'a GET with a body', body: ['{}'] })]
  return [
    ...hostileJson().map(([name, body]) => withBody(route, { name, body })),
    ...Object.entries(route.bodies).flatMap(([type, schema]) => {
      const valid = validBody(type, schema)
      const headers = { 'content-type': type === 'multipart/form-data' ? `${type}; boundary=x` : type }
      return [
        withBody(route, { name: `half of a valid ${type}`, body: [valid.slice(0, valid.length / 2)], headers }),
        withBody(route, { name: `a valid ${type} with NULs`, body: [valid.replace(/\w{3,}/g, '$&\u0000')], headers }),
        withBody(route, { name: `a valid ${type} with \\u0000`, body: [valid.replace(/":"/g, '":"\\u0000')], headers }),
      ]
    }),
    ...wrongFields(route).map(([name, value]) => withBody(route, { name, body: [JSON.stringify(value)] })),
  ]
}

/** The largest bodies that the gateway accepts. They are slow to send, so not every run tries them. */
export function largeBodyAttacks(route: AttackedRoute): WireCase[] {
  if (!('application/json' in route.bodies)) return []
  const bytes = 10 * 1024 * 1024 - 100
  const tiny = '"a":0,'
  return [
    withBody(route, { name: '10 MiB of [', body: [{ repeat: '[', times: bytes }] }),
    withBody(route, { name: '10 MiB of {"a":', body: [{ repeat: '{"a":', times: Math.floor(bytes / 5) }] }),
    withBody(route, {
      name: '1.7 million tiny members',
      body: ['{', { repeat: tiny, times: Math.floor(bytes / tiny.length) }, '"b":0}'],
    }),
    withBody(route, {
      name: '5 million tiny elements',
      body: ['{"messages":[', { repeat: '0,', times: Math.floor(bytes / 2) - 20 }, '0]}'],
    }),
    withBody(route, { name: '10 MiB of text', body: ['{"a":"', { repeat: 'a', times: bytes - 20 }, '"}'] }),
    withBody(route, { name: '10 MiB of \\', body: ['{"a":"', { repeat: '\\\\', times: bytes / 2 - 20 }, '"}'] }),
    withBody(route, { name: 'one byte beyond 10 MiB', body: [{ repeat: ' ', times: 10 * 1024 * 1024 + 1 }] }),
  ]
}

function withBody(route: AttackedRoute, changes: Changes): WireCase {
  const isJson = !('application/json' in route.bodies) && Object.keys(route.bodies).length > 0 ? null : true
  const headers = { ...(isJson ? { 'content-type': 'application/json' } : {}), ...changes.headers }
  return requestTo(route, { ...changes, headers })
}

function hostileJson(): [name: string, body: readonly Piece[]][] {
  return [
    ['an empty body', ['']],
    ['60,000 [', [{ repeat: '[', times: BYTES }]],
    [
      'nested lists, closed',
      [
        { repeat: '[', times: BYTES / 2 },
        { repeat: ']', times: BYTES / 2 },
      ],
    ],
    ['nested objects', [{ repeat: '{"a":', times: BYTES / 5 }]],
    ['tiny members', ['{', { repeat: '"a":1,', times: BYTES / 6 - 5 }, '"b":1}']],
    ['repeated fields', ['{"model":"a","model":"b","model":"c","event":"a","event":"b"}']],
    ['__proto__', ['{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"a":1}}}']],
    ['null', ['null']],
    ['a number', ['1e400']],
    ['a list of nulls', ['[null,null]']],
    ['a lone surrogate', ['{"model":"\\ud800","text":"\\udfff"}']],
    [
      'bytes that are not UTF-8',
      [{ base64: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]).toString('base64') }],
    ],
    ['a byte order mark', ['\ufeff{}']],
    ['numbers beyond any double', ['{"n":', { repeat: '9', times: 5_000 }, ',"max_tokens":-0.0}']],
    ['comments and commas', ['{/* a */"a":1,,}']],
    ['form fields in brackets', [{ repeat: 'a[b][c][d]=1&', times: 2_000 }]],
    ['form fields nested too deeply', ['a', { repeat: '[b]', times: 5_000 }, '=1']],
    ['percent signs', [{ repeat: '%', times: 5_000 }]],
  ]
}

const WRONG_VALUES: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', -1],
  ['a NUL', 'a\u0000b'],
  ['a long text', 'a'.repeat(10_000)],
  ['a list', [[[[]]]]],
  ['an object', { $ref: '#', toString: 1, length: -1 }],
  ['a nested value', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
]

/** A valid document with one field of another type, for every field that the schema knows. */
function wrongFields({ bodies }: AttackedRoute): [name: string, value: unknown][] {
  const schema = bodies['application/json']
  if (!schema) return []
  const valid = exampleOf(schema)
  if (typeof valid !== 'object' || valid === null) return []
  const names = new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(valid)])
  return [...names].flatMap((field) =>
    WRONG_VALUES.map(([name, value]): [string, unknown] => [
      `a field is ${name} (${field})`,
      { ...valid, [field]: value },
    ]),
  )
}
