import { docxOfParagraphs, pdfOfNestedForms } from '../../support/hostileDocuments.ts'
import { headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'

const BOUNDARY = 'boundary-of-the-hostile-document'
const TYPES = {
  'cv.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'cv.pdf': 'application/pdf',
} as const

/** Documents that are small to send and take gigabytes or hours to read, to everything that reads documents. */
export function documentAttacks(): WireCase[] {
  const documents = [
    ['cv.docx', docxOfParagraphs(400_000)],
    ['cv.pdf', pdfOfNestedForms(12)],
  ] as const
  return documents.flatMap(([file, bytes]) => [
    ...['/llm/v1/parse/cv', '/llm/v1/parse/jd'].map((path) => ({
      ...upload('gateway', path, 'Bearer {{key}}', [part('file', bytes, file)]),
      mayFail: true,
    })),
    ...['uploadCv', 'uploadJobDocument'].map((mutation) => {
      const query = `mutation ($f: Upload!) { ${mutation}(file: $f) { id } }`
      const operations = JSON.stringify({ query, variables: { f: null } })
      const parts = [part('operations', operations), part('map', '{"0":["variables.f"]}'), part('0', bytes, file)]
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
  return { name: `${service} POST ${path}: a hostile document`, service, head: headOf('POST', path, { headers }), body }
}
