import fc from 'fast-check'
import { docxOf, pdfOf } from '../../support/parties/hostileDocuments.ts'
import { zipOf } from '../../support/parties/zipFile.ts'
import { bytesOf, headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'
import { anyText, repeated } from './hostileValues.ts'

export const BOUNDARY = 'boundary-of-the-generated-files'
/** A document may be any size that a caller may send; the fuzzer keeps to those that are quickly made. */
const XML_CHARS_MAX = 4_000_000

const repeatedText = (...texts: string[]) =>
  repeated(...texts).map((piece) => bytesOf(piece).toString().slice(0, XML_CHARS_MAX))

const WORD_PARTS = [
  ...[
    '<w:p><w:r><w:t>a</w:t></w:r></w:p>',
    '<w:p/>',
    '<w:tbl><w:tr><w:tc>',
    '</w:tc></w:tr></w:tbl>',
    '<w:p>',
    '</w:p>',
  ],
  ...[
    '<w:r>',
    '<w:t>',
    '&amp;',
    '&a;',
    '<!-- a -->',
    '<![CDATA[a]]>',
    '<w:hyperlink r:id="x">',
    '<w:br/>',
    '<a/>',
    '<',
  ],
]

const wordBody = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...WORD_PARTS) },
      { weight: 2, arbitrary: repeatedText(...WORD_PARTS) },
      { weight: 1, arbitrary: anyText },
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''))

const WORD_ELEMENTS = ['w:p', 'w:r', 'w:t', 'w:tbl', 'w:tr', 'w:tc', 'w:hyperlink', 'w:sdt', 'w:txbxContent', 'a']

/** Elements within elements, all of them closed: a document that can be read. */
const wellFormedBody = fc
  .array(fc.tuple(fc.constantFrom(...WORD_ELEMENTS), fc.constantFrom(1, 1, 1, 10, 2_000), fc.constantFrom(1, 1, 3)), {
    maxLength: 6,
  })
  .map((levels) =>
    levels.reduceRight(
      (inner, [name, depth, copies]) => `<${name}>`.repeat(depth) + inner.repeat(copies) + `</${name}>`.repeat(depth),
      '<w:p><w:r><w:t>Ada</w:t></w:r></w:p>',
    ),
  )

/** Word documents: nested, repeated, cut, or with other parts in the archive. */
const docx = fc.oneof(
  { weight: 5, arbitrary: wellFormedBody.map((body) => docxOf(body)) },
  { weight: 3, arbitrary: wordBody.map((body) => docxOf(body)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        wordBody.map((body) => docxOf(body)),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
      )
      .map(([bytes, flips]) => flipped(bytes, flips)),
  },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(fc.constantFrom('word/document.xml', '[Content_Types].xml', '_rels/.rels', '../a', 'a/'), anyText)
      .map((parts) => zipOf(parts)),
  },
)

const PDF_PARTS = [
  ...[
    'BT /F1 12 Tf (a) Tj ET ',
    'q ',
    'Q ',
    '/F Do ',
    'BT ',
    'ET ',
    '[(a) 1 (b)] TJ ',
    '1 0 0 1 0 0 cm ',
    '/F1 1e9 Tf ',
  ],
  ...[
    '<41> Tj ',
    'BI /W 1 /H 1 ID a EI ',
    '(',
    ')',
    '<<',
    '>>',
    '[',
    ']',
    '/a ',
    '0 0 m 1 1 l S ',
    '/Span BDC ',
    'EMC ',
  ],
]
const pdfContent = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...PDF_PARTS) },
      { weight: 2, arbitrary: repeatedText(...PDF_PARTS) },
      { weight: 1, arbitrary: anyText },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))
const pdfObjects = fc.array(
  fc.constantFrom(
    '<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</F 6 0 R>>>>/Length 6>>\nstream\n/F Do \nendstream',
    '6 0 R',
    '<</Length 99999999999>>\nstream\na\nendstream',
    '<</Kids[2 0 R]/Count 100000000/Type/Pages>>',
    '[[[[[[[[6 0 R]]]]]]]]',
    '<</Filter[/FlateDecode/FlateDecode/ASCII85Decode/LZWDecode]/Length 1>>\nstream\na\nendstream',
  ),
  { maxLength: 5 },
)
const pdf = fc
  .tuple(pdfContent, pdfObjects, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }))
  .map(([content, objects, flips]) => flipped(pdfOf(content, '/XObject<</F 6 0 R>>', objects), flips))

function flipped(bytes: Buffer, flips: readonly (readonly [number, number])[]): Buffer {
  const changed = Buffer.from(bytes)
  for (const [at, value] of flips) if (changed.length > 0) changed[at % changed.length] = value
  return changed
}

export const DISPOSITION = 'content-disposition: form-data; name="file"; filename='
const DOCX_HEADER = `${DISPOSITION}"cv.docx"\r\ncontent-type: application/vnd.openxmlformats-officedocument.wordprocessingml.document`
const PDF_HEADER = `${DISPOSITION}"cv.pdf"\r\ncontent-type: application/pdf`

export function part(header: string, bytes: Buffer): readonly Piece[] {
  return [`--${BOUNDARY}\r\n${header}\r\n\r\n`, { base64: bytes.toString('base64') }, '\r\n']
}

export function parseCase(name: string, path: string, body: readonly Piece[]): WireCase {
  const headers = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': lengthOf(body),
    authorization: 'Bearer {{key}}',
  }
  return {
    name: `gateway POST ${path}: ${name}`,
    service: 'gateway',
    head: headOf('POST', path, { headers }),
    body,
    mayFail: true,
  }
}

export const parsePath = fc.constantFrom('/llm/v1/parse/cv', '/llm/v1/parse/jd')
export const END = `--${BOUNDARY}--\r\n`

export function docxCases(): fc.Arbitrary<WireCase> {
  return fc
    .tuple(parsePath, docx)
    .map(([to, bytes]) => parseCase('a mutated DOCX', to, [...part(DOCX_HEADER, bytes), END]))
}

export function pdfCases(): fc.Arbitrary<WireCase> {
  return fc
    .tuple(parsePath, pdf)
    .map(([to, bytes]) => parseCase('a mutated PDF', to, [...part(PDF_HEADER, bytes), END]))
}
