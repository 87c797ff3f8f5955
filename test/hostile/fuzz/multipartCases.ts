import fc from 'fast-check'
import { bytesOf, headOf, lengthOf, type WireCase } from '../wireCase.ts'
import { BOUNDARY, DISPOSITION, END, parseCase, parsePath, part } from './fileCases.ts'
import { anyText, repeated } from './hostileValues.ts'

type Part = readonly [header: string, bytes: Buffer]

const named = (name: string, text: string): Part => [
  `content-disposition: form-data; name="${name}"`,
  Buffer.from(text),
]
const textFile: Part = [`${DISPOSITION}"cv.txt"\r\ncontent-type: text/plain`, Buffer.from('Ada Example, engineer')]
const UPLOAD = 'mutation ($f: Upload!) { uploadCv(file: $f) { id } }'

/** As clients send an upload over GraphQL. */
const validUpload: readonly Part[] = [
  named('operations', JSON.stringify({ query: UPLOAD, variables: { f: null } })),
  named('map', '{"0":["variables.f"]}'),
  [`content-disposition: form-data; name="0"; filename="cv.txt"\r\ncontent-type: text/plain`, Buffer.from('Ada')],
]

const header = fc.oneof(
  anyText.map((text) => `${DISPOSITION}"${text.replace(/[\r\n]/g, ' ')}"`),
  fc.constantFrom(
    `${DISPOSITION}"a.txt"`,
    `${DISPOSITION}"a\u0000.pdf"\r\ncontent-type: \u0000`,
    'content-disposition: form-data; name="operations"',
    'content-disposition: form-data; name="map"',
    'content-disposition: form-data; name="__proto__"; filename="a"',
    'a: b',
    '',
  ),
  repeated('a', 'a: b\r\n').map((piece) => bytesOf(piece).toString().slice(0, 100_000)),
)
const bytes = fc.oneof(
  anyText.map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      `[${JSON.stringify({ query: UPLOAD, variables: { f: null } })}]`,
      '{"query":"{ whoAmI { id } }","variables":[[[]]]}',
      '{"0":["variables.f","variables.f.__proto__","a"],"1":["0"]}',
      '{"0":["__proto__.polluted","constructor.prototype.a"]}',
      '{"query":"mutation ($i: PostJobInput!) { postJob(input: $i) { id } }","variables":{"i":{"title":"x","requirements":[]}}}',
      '{"0":["variables.i.requirements.4294967294","variables.i.requirements.length","variables.f.4294967294"]}',
      'null',
    )
    .map((text) => Buffer.from(text)),
  repeated('a', `--${BOUNDARY}\r\n`, '\r\n--', '[').map(bytesOf),
)

type Change = {
  readonly at: number
  readonly kind: 'insert' | 'drop' | 'repeat' | 'header' | 'bytes'
  readonly part: Part
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 20 }),
  kind: fc.constantFrom('insert', 'drop', 'repeat', 'header', 'bytes'),
  part: fc.tuple(header, bytes),
})

function changed(parts: readonly Part[], changes: readonly Change[]): readonly Part[] {
  return changes.reduce<readonly Part[]>((all, { at, kind, part: [newHeader, newBytes] }) => {
    const place = at % (all.length + 1)
    const [oldHeader, oldBytes]: Part = all[place] ?? ['', Buffer.alloc(0)]
    const replacements: Readonly<Record<Change['kind'], readonly Part[]>> = {
      insert: [
        [newHeader, newBytes],
        [oldHeader, oldBytes],
      ],
      drop: [],
      repeat: Array.from({ length: 12 }, (): Part => [oldHeader, oldBytes]),
      header: [[newHeader, oldBytes]],
      bytes: [[oldHeader, newBytes]],
    }
    return all.toSpliced(place, 1, ...replacements[kind])
  }, parts)
}

/** Multipart bodies of parsing routes and of uploads over GraphQL: valid ones with a few changes. */
export function multipartCases(): fc.Arbitrary<WireCase> {
  const changes = fc.array(change, { maxLength: 3 })
  const ending = fc.constantFrom(END, END, END, '', `--${BOUNDARY}`, '\r\n')
  return fc.tuple(fc.oneof(parsePath, fc.constant('/graphql')), changes, ending).map(([to, made, last]) => {
    const parts = changed(to === '/graphql' ? validUpload : [textFile], made)
    const body = [...parts.flatMap(([head, content]) => part(head, content)), last]
    if (to !== '/graphql') return parseCase('a mutated multipart body', to, body)
    const headers = {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': lengthOf(body),
      authorization: 'Bearer {{admin}}',
    }
    const head = headOf('POST', to, { headers })
    return { name: 'backend POST /graphql: a mutated multipart body', service: 'backend', head, body }
  })
}
