import { docxOfParagraphs, docxOfText, pdfOf, pdfOfNestedForms } from '../../support/parties/hostileDocuments.ts'
import { headOf, lengthOf, type Piece, type WireCase } from '../wireCase.ts'

const BOUNDARY = 'boundary-of-the-hostile-document'
const TYPES = {
  'cv.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'cv.pdf': 'application/pdf',
} as const

type FileName = keyof typeof TYPES

/**
 * Documents that are small to send and take gigabytes or hours to read, to everything that reads documents: one to each
 * route, because each takes a core for ten seconds, and both kinds to each service.
 */
export function documentAttacks(): WireCase[] {
  const [docx, pdf] = [docxOfParagraphs(400_000), pdfOfNestedForms(12)]
  return [
    toGateway('/llm/v1/parse/cv', 'cv.docx', docx),
    toGateway('/llm/v1/parse/jd', 'cv.pdf', pdf),
    toBackend('uploadCv', 'cv.pdf', pdf),
    toBackend('uploadJobDocument', 'cv.docx', docx),
  ]
}

/** Legitimate requests to the same routes. */
export function ordinaryDocuments(): WireCase[] {
  const documents: [FileName, Buffer][] = [
    ['cv.docx', docxOfText('Ten years of Go')],
    ['cv.pdf', pdfOf('BT /F1 12 Tf (Ten years of Go) Tj ET')],
  ]
  return documents.flatMap(([file, bytes]) => [
    ...['/llm/v1/parse/cv', '/llm/v1/parse/jd'].map((path) => toGateway(path, file, bytes)),
    ...['uploadCv', 'uploadJobDocument'].map((mutation) => toBackend(mutation, file, bytes)),
  ])
}

function toGateway(path: string, file: FileName, bytes: Buffer): WireCase {
  return { ...upload('gateway', path, 'Bearer {{key}}', [part('file', bytes, file)]), mayFail: true }
}

function toBackend(mutation: string, file: FileName, bytes: Buffer): WireCase {
  const query = `mutation ($f: Upload!) { ${mutation}(file: $f) { id } }`
  const operations = JSON.stringify({ query, variables: { f: null } })
  const parts = [part('operations', operations), part('map', '{"0":["variables.f"]}'), part('0', bytes, file)]
  return upload('backend', '/graphql', 'Bearer {{admin}}', parts)
}

function part(name: string, bytes: Buffer | string, file?: FileName): readonly Piece[] {
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
