const TASK_ERROR_CHARS_MAX = 500

/** An error as an operator may read it, and as it is kept: on one line, without anybody's address. */
export function shownError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text
    .replace(/[^\s<>,;:"']+@[^\s<>,;:"']+/g, '[address]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, TASK_ERROR_CHARS_MAX)
    .toWellFormed()
  return line === '' ? 'it failed without a word' : line
}
