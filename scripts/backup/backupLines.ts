/** The size limit of one line; the largest event fits. */
const BACKUP_LINE_BYTES_MAX = 1024 * 1024

const NEWLINE = 0x0a

/** A line is longer than any in a backup, so the file must not be read into memory. */
export class LineTooLong extends Error {}

/** Some consecutive lines: their bytes, and their texts without the newlines. */
export type Lines = { readonly bytes: Buffer; readonly texts: readonly string[] }

/** Yields the lines that end in each chunk of bytes. Bytes after the last newline are omitted. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncIterable<Lines> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      const ended = chunk.subarray(0, end)
      const bytes = begun.length > 0 ? Buffer.concat([...begun, ended]) : ended
      // All lines are decoded at once, because each call into the decoder costs more than a line.
      yield { bytes, texts: bytes.toString('utf8', 0, bytes.length - 1).split('\n') }
      begun = []
      begunBytes = 0
    }
    if (end < chunk.length) {
      begun.push(chunk.subarray(end))
      begunBytes += chunk.length - end
    }
    if (begunBytes > BACKUP_LINE_BYTES_MAX) throw new LineTooLong()
  }
}
