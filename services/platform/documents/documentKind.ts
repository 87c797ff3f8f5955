import { Unreadable } from './unreadable.ts'

export type DocumentKind = 'pdf' | 'docx' | 'txt'

export type SentFile = { readonly name: string; readonly contentType: string; readonly bytes: Buffer }

const KINDS_BY_TYPE: Readonly<Record<string, DocumentKind>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/plain': 'txt',
}
const TITLES: Readonly<Record<DocumentKind, string>> = { pdf: 'PDF', docx: 'DOCX', txt: 'TXT' }
/** What clients send that do not know a file's type. */
const UNTOLD_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Readers look for the mark of a PDF in its first kilobyte. */
const PDF_MARK_WITHIN_BYTES = 1_024
const ZIP_MARK = Buffer.from('PK\u0003\u0004', 'latin1')
const OLE_MARK = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** What a file is, by what it says of itself and by what its bytes say: the two must agree. */
export function kindOf({ name, contentType, bytes }: SentFile): DocumentKind {
  if (bytes.length === 0) throw new Unreadable('The file is empty.')
  if (bytes.subarray(0, OLE_MARK.length).equals(OLE_MARK)) {
    throw new Unreadable(
      'The file is an encrypted or an old (DOC) Word document; send it as DOCX without a password, or as PDF.',
    )
  }
  const told = toldKind(name, contentType)
  const found = foundKind(bytes)
  if (told === null || told === found) return found
  throw new Unreadable(`The file is called ${TITLES[told]}, but it is not a ${TITLES[told]} file.`)
}

function toldKind(name: string, contentType: string): DocumentKind | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const byType = KINDS_BY_TYPE[type]
  if (byType) return byType
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase()
  if (extension !== undefined && extension in TITLES) return extension as DocumentKind
  if (UNTOLD_TYPES.has(type) && extension === undefined) return null
  throw new Unreadable(
    `A file of type ${JSON.stringify(extension ?? type)} is not taken; send a PDF, DOCX or TXT file.`,
  )
}

function foundKind(bytes: Buffer): DocumentKind {
  if (bytes.subarray(0, PDF_MARK_WITHIN_BYTES).includes('%PDF-')) return 'pdf'
  return bytes.subarray(0, ZIP_MARK.length).equals(ZIP_MARK) ? 'docx' : 'txt'
}
