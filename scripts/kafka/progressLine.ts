export type ProgressLine = { tell(line: string): void; end(): void }

/** Where a person watches, one line on standard error that is written over; where it is piped, only the first. */
export function progressLine(): ProgressLine {
  let told = 0
  const isWatched = process.stderr.isTTY
  return {
    tell: (line) => {
      told += 1
      if (isWatched && told > 1) process.stderr.write(`\r\x1b[K${line.slice(0, process.stderr.columns - 1)}`)
      else if (told === 1) process.stderr.write(`${line}\n`)
    },
    end: () => {
      if (isWatched && told > 1) process.stderr.write('\r\x1b[K')
      told = 0
    },
  }
}
