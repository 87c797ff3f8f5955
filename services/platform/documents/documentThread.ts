import { parentPort, workerData } from 'node:worker_threads'
import { Unreadable } from './unreadable.ts'

/** The document that this thread reads; the thread then exits. */
export type DocumentTask = { readonly kind: 'pdf' | 'docx'; readonly bytes: Uint8Array }
export type DocumentResult = { readonly text: string } | { readonly unreadable: string }

const { kind, bytes } = workerData as DocumentTask
const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

async function read(): Promise<DocumentResult> {
  try {
    return { text: await textOf() }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    throw error
  }
}

/** Imports only the library that this document needs, because importing takes longer than reading. */
async function textOf(): Promise<string> {
  if (kind === 'pdf') return (await import('./pdfText.ts')).readPdf(document)
  return (await import('./docxText.ts')).readDocx(document)
}

parentPort?.postMessage(await read())
