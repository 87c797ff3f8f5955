import { extractTextItems, getDocumentProxy, type StructuredTextItem } from 'unpdf'
import { pageText } from './pageText.ts'
import { Unreadable } from './unreadable.ts'

const DOCUMENT_PAGES_MAX = 200

export async function readPdf(bytes: Buffer): Promise<string> {
  const pages = await itemsOf(bytes)
  const text = pages.map(pageText).join('\n\n')
  if (text.trim() === '') {
    throw new Unreadable('The PDF file has no text: it is a scan or empty. Send one with text in it.')
  }
  return text
}

async function itemsOf(bytes: Buffer): Promise<StructuredTextItem[][]> {
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    if (pdf.numPages > DOCUMENT_PAGES_MAX) {
      throw new Unreadable(`The PDF file has more than ${DOCUMENT_PAGES_MAX} pages.`)
    }
    return (await extractTextItems(pdf)).items
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if ((error as Error).name === 'PasswordException') {
      throw new Unreadable('The PDF file is encrypted; send it without a password.')
    }
    throw new Unreadable('The PDF file is damaged or cut off.')
  }
}
