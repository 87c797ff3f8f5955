/** Of one line of a backup: the largest event fits in. */
const BACKUP_LINE_BYTES_MAX = 1024 * 1024

const NEWLINE = 0x0a

/** A line is longer than any that a backup has: whatever the file is, it must not be taken into memory. */
export class LineTooLong extends Error {}

/** The lines of a stream of bytes, each with its newline, as many at a time as come together. What comes after the last newline is left out. */
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
