import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Of a line that does not end, no more is kept than this. */
const LINE_CHARS_MAX = 1024 * 1024

/** Calls back with every line of a stream, without its end. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  stream.on('data', (bytes: Buffer) => {
    const lines = (begun + decoder.write(bytes)).split('\n')
    begun = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX)
    for (const line of lines) if (line !== '') onLine(line)
  })
  stream.on('end', () => {
    if (begun !== '') onLine(begun)
  })
  stream.on('error', () => {})
}
