import mammoth from 'mammoth'
import { Unreadable } from './unreadable.ts'
import { checkZipBounds } from './zipBounds.ts'

/** The size limit of the unpacked parts of a DOCX file. */
const DOCUMENT_UNPACKED_BYTES_MAX = 64 * 1024 * 1024

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }
/** Images have no text, and mammoth would copy their bytes into the HTML. */
const withoutImages = mammoth.images.imgElement(async () => ({ src: '' }))

/** The text of a Word document: list items begin with a dash, table cells are separated by tabs. */
export async function readDocx(bytes: Buffer): Promise<string> {
  checkZipBounds(bytes, DOCUMENT_UNPACKED_BYTES_MAX)
  let html: string
  try {
    html = (await mammoth.convertToHtml({ buffer: bytes }, { convertImage: withoutImages })).value
  } catch {
    throw new Unreadable('The file is not a Word document (DOCX), or it is damaged.')
  }
  const text = textOf(html)
  if (text === '') throw new Unreadable('The DOCX file has no text in it.')
  return text
}

function textOf(html: string): string {
  return html
    .replace(/<h\d[^>]*>/g, '\n')
    .replace(/<li[^>]*>/g, '- ')
    .replace(/<\/p><\/td>\s*(?=<td)/g, '\t')
    .replace(/<\/(?:p|h\d|li|tr)>|<br\s*\/?>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .trim()
}
