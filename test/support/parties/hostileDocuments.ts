import { deflateSync } from 'node:zlib'
import { zipOf } from './zipFile.ts'

const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** A DOCX file whose document has this body. */
export function docxOf(body: string): Buffer {
  const document = `<?xml version="1.0"?><w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`
  return zipOf({ '[Content_Types].xml': TYPES, '_rels/.rels': RELATIONS, 'word/document.xml': document })
}

/** A DOCX file of 40 KB for 400,000 paragraphs, which take gigabytes once they are objects. */
export function docxOfParagraphs(count: number): Buffer {
  return docxOf(paragraph('a').repeat(count))
}

/** A DOCX file of 3 KB that takes seven seconds of a core: mammoth looks at every open field for each run. */
export function docxOfOpenFields(): Buffer {
  const field = '<w:fldChar w:fldCharType="begin"/>'
  return docxOf(`<w:p>${field.repeat(20_000)}${'<w:r/>'.repeat(25_000)}</w:p>`)
}

/** A DOCX file of one paragraph. */
export function docxOfText(text: string): Buffer {
  return docxOf(paragraph(text))
}

function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
}

/** A PDF of one page with this content, compressed, and these objects from number 6 on. */
export function pdfOf(content: string | Buffer, resources = '', objects: readonly string[] = []): Buffer {
  const packed = deflateSync(content, { level: 1 })
  const head = [
    '%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n',
    `3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>${resources}>>>> endobj\n`,
    '4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n',
    ...objects.map((object, n) => `${n + 6} 0 obj ${object} endobj\n`),
    `5 0 obj <</Length ${packed.length}/Filter/FlateDecode>>\nstream\n`,
  ]
  const end = `\nendstream endobj\ntrailer <</Size ${objects.length + 6}/Root 1 0 R>>\n%%EOF`
  return Buffer.concat([Buffer.from(head.join('')), packed, Buffer.from(end)])
}

/** A PDF of a few kilobytes whose forms draw one another ten times each: 10 ** depth texts. */
export function pdfOfNestedForms(depth: number): Buffer {
  const draw = '/F Do '.repeat(10)
  const forms = Array.from({ length: depth }, (_, n) => {
    const isLast = n === depth - 1
    const content = isLast ? 'BT /F1 12 Tf (a) Tj ET' : draw
    const inner = isLast ? '/Font<</F1 4 0 R>>' : `/XObject<</F ${n + 7} 0 R>>`
    return `<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<${inner}>>/Length ${content.length}>>\nstream\n${content}\nendstream`
  })
  return pdfOf(draw, '/XObject<</F 6 0 R>>', forms)
}
