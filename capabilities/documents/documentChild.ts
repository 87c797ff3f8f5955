// Imported first, so that the libraries below find no network.
import './noNetwork.ts'
import { writeSync } from 'node:fs'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TEXT_CHARS_MAX } from '../../contracts/limits.ts'
import { readDocx } from './docxText.ts'
import { readPdf } from './pdfText.ts'
import type { DocumentResult } from './readerProcess.ts'
import { Unreadable } from './unreadable.ts'

/** The pipe to the service; anything that a library prints goes elsewhere. */
const ANSWERS = 3
const READERS = { pdf: readPdf, docx: readDocx } as const

// Ctrl-C reaches all processes of a terminal, but the service decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

/** One document: its kind on the first line, then its bytes until the end of the input. */
async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = DOCUMENT_BYTES_MAX + 'docx\n'.length
  for await (const chunk of process.stdin) {
    left -= chunk.length
    if (left < 0) throw new Error('the input is longer than a document may be')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function resultOf(input: Buffer): Promise<DocumentResult> {
  const lineEnd = input.indexOf('\n')
  const kind = input.toString('latin1', 0, lineEnd) as keyof typeof READERS
  try {
    const text = await READERS[kind](input.subarray(lineEnd + 1))
    if (text.length <= DOCUMENT_TEXT_CHARS_MAX) return { text }
    return { unreadable: `The text is longer than ${DOCUMENT_TEXT_CHARS_MAX} characters.` }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    return { fault: faultOf(error) }
  }
}

/** Where the error was thrown. Its message may quote the document, which must not be logged. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an error was thrown'
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return [error.name, ...frames].join('\n')
}

function answer(text: string): void {
  let left = Buffer.from(text)
  while (left.length > 0) left = left.subarray(writeSync(ANSWERS, left))
}

answer('ready\n')
const input = await readInput()
// The service is gone or no longer needs this process.
if (input.length === 0) process.exit()
answer(JSON.stringify(await resultOf(input)))
process.exit()
