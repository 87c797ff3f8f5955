import { docxOfParagraphs, docxOfText, pdfOf, pdfOfNestedForms } from '../../support/parties/hostileDocuments.ts'
import { headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'

const BOUNDARY = 'boundary-of-the-hostile-document'
const TYPES = {
  'cv.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'cv.pdf': 'application/pdf',
} as const

type Documents = Readonly<Record<keyof typeof TYPES, Buffer>>

/** Documents that are small to send and take gigabytes or hours to read, to everything that reads documents. */
export function documentAttacks(): WireCase[] {
  return uploads({ 'cv.docx': docxOfParagraphs(400_000), 'cv.pdf': pdfOfNestedForms(12) })
}

/** Legitimate requests to the same routes. */
export function ordinaryDocuments(): WireCase[] {
  return uploads({ 'cv.docx': docxOfText('Ten years of Go'), 'cv.pdf': pdfOf('BT /F1 12 Tf (Ten years of Go) Tj ET') })
}

function uploads(documents: Documents): WireCase[] {
  return (Object.keys(TYPES) as (keyof Documents)[]).flatMap((file) => [
    ...['/llm/v1/parse/cv', '/llm/v1/parse/jd'].map((path) => ({
      ...upload('gateway', path, 'Bearer {{key}}', [part('file', documents[file], file)]),
      mayFail: true,
    })),
    ...['uploadCv', 'uploadJobDocument'].map((mutation) => {
      const query = `mutation ($f: Upload!) { ${mutation}(file: $f) { id } }`
      const operations = JSON.stringify({ query, variables: { f: null } })
      const parts = [
        part('operations', operations),
        part('map', '{"0":["variables.f"]}'),
        part('0', documents[file], file),
      ]
      return upload('backend', '/graphql', 'Bearer {{admin}}', parts)
    }),
  ])
}

function part(name: string, bytes: Buffer | string, file?: keyof typeof TYPES): readonly Piece[] {
  const disposition = `form-data; name="${name}"${file ? `; filename="${file}"\r\ncontent-type: ${TYPES[file]}` : ''}`
  const head = `--${BOUNDARY}\r\ncontent-disposition: ${disposition}\r\n\r\n`
  return [head, { base64: Buffer.from(bytes).toString('base64') }, '\r\n']
}

function upload(
  service: 'gateway' | 'backend',
  path: string,
  authorization: string,
  parts: readonly (readonly Piece[])[],
): WireCase {
  const body = [...parts.flat(), `--${BOUNDARY}--\r\n`]
  const headers = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': lengthOf(body),
    authorization,
  }
  return { name: `${service} POST ${path}: a document`, service, head: headOf('POST', path, { headers }), body }
}
