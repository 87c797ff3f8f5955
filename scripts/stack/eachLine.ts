import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** The rest of a longer line is dropped. */
const LINE_CHARS_MAX = 1024 * 1024

/** Calls back with every line of a stream, without its newline. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let partial = ''
  stream.on('data', (bytes: Buffer) => {
    const lines = (partial + decoder.write(bytes)).split('\n')
    partial = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX)
    for (const line of lines) if (line !== '') onLine(line)
  })
  stream.on('end', () => {
    if (partial !== '') onLine(partial)
  })
  stream.on('error', () => {})
}
