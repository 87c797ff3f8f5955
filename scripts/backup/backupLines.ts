/** The size of one line; the largest event fits. */
const BACKUP_LINE_BYTES_MAX = 1024 * 1024

const NEWLINE = 0x0a

/** A line is longer than any line of a backup, so the file must not be read into memory. */
export class LineTooLong extends Error {}

/** Yields the lines of each chunk of bytes, each with its newline. Bytes after the last newline are left out. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer[]> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of bytes) {
    const lines: Buffer[] = []
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      lines.push(Buffer.concat([...begun, chunk.subarray(from, at + 1)]))
      begun = []
      begunBytes = 0
      from = at + 1
    }
    if (from < chunk.length) {
      begun.push(chunk.subarray(from))
      begunBytes += chunk.length - from
    }
    if (begunBytes > BACKUP_LINE_BYTES_MAX) throw new LineTooLong()
    if (lines.length > 0) yield lines
  }
}
