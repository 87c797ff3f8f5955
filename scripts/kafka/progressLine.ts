export type ProgressLine = { update(line: string): void; end(): void }

/** One line on standard error, overwritten if that is a terminal; otherwise only the first line is printed. */
export function progressLine(): ProgressLine {
  let updates = 0
  const isTerminal = process.stderr.isTTY
  return {
    update: (line) => {
      updates += 1
      if (isTerminal && updates > 1) process.stderr.write(`\r\x1b[K${line.slice(0, process.stderr.columns - 1)}`)
      else if (updates === 1) process.stderr.write(`${line}\n`)
    },
    end: () => {
      if (isTerminal && updates > 1) process.stderr.write('\r\x1b[K')
      updates = 0
    },
  }
}
