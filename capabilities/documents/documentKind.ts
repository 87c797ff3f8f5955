import { Unreadable } from './unreadable.ts'

export type DocumentKind = 'pdf' | 'docx' | 'txt'

export type SentFile = { readonly name: string; readonly contentType: string; readonly bytes: Buffer }

const KINDS_BY_TYPE: ReadonlyMap<string, DocumentKind> = new Map([
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['text/plain', 'txt'],
])
const TITLES: Readonly<Record<DocumentKind, string>> = { pdf: 'PDF', docx: 'DOCX', txt: 'TXT' }
/** Content types of clients that do not know the type of a file. */
const UNSPECIFIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** PDF readers accept the signature anywhere in the first kilobyte. */
const PDF_MARK_WITHIN_BYTES = 1_024
const ZIP_MARK = Buffer.from('PK\u0003\u0004', 'latin1')
const OLE_MARK = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** The kind of a file. The kind that its type or name declares must agree with its bytes. */
export function kindOf({ name, contentType, bytes }: SentFile): DocumentKind {
  if (bytes.length === 0) throw new Unreadable('The file is empty.')
  if (bytes.subarray(0, OLE_MARK.length).equals(OLE_MARK)) {
    throw new Unreadable(
      'The file is an encrypted or an old (DOC) Word document; send it as DOCX without a password, or as PDF.',
    )
  }
  const declared = declaredKind(name, contentType)
  const detected = detectedKind(bytes)
  if (declared === null || declared === detected) return detected
  throw new Unreadable(`The file is declared as ${TITLES[declared]}, but it is not a ${TITLES[declared]} file.`)
}

function declaredKind(name: string, contentType: string): DocumentKind | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const byType = KINDS_BY_TYPE.get(type)
  if (byType) return byType
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase()
  if (extension !== undefined && Object.hasOwn(TITLES, extension)) return extension as DocumentKind
  if (UNSPECIFIC_TYPES.has(type) && extension === undefined) return null
  throw new Unreadable(
    `A file of type ${JSON.stringify(extension ?? type)} is not supported; send a PDF, DOCX or TXT file.`,
  )
}

function detectedKind(bytes: Buffer): DocumentKind {
  if (bytes.subarray(0, PDF_MARK_WITHIN_BYTES).includes('%PDF-')) return 'pdf'
  return bytes.subarray(0, ZIP_MARK.length).equals(ZIP_MARK) ? 'docx' : 'txt'
}
