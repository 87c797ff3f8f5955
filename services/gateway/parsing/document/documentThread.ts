import { parentPort, workerData } from 'node:worker_threads'
import { readDocx } from './docxText.ts'
import { readPdf } from './pdfText.ts'
import { Unreadable } from './unreadable.ts'

/** A thread that reads one document and ends. */
export type DocumentTask = { readonly kind: 'pdf' | 'docx'; readonly bytes: Uint8Array }
export type DocumentResult = { readonly text: string } | { readonly unreadable: string }

const { kind, bytes } = workerData as DocumentTask
const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

async function read(): Promise<DocumentResult> {
  try {
    return { text: await (kind === 'pdf' ? readPdf(document) : readDocx(document)) }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    throw error
  }
}

parentPort?.postMessage(await read())
