const TASK_ERROR_CHARS_MAX = 500

/** The message of an error as it is stored and shown to operators: one line, with mail addresses removed. */
export function taskErrorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const line = text
    .replace(/[^\s<>,;:"']+@[^\s<>,;:"']+/g, '[address]')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, TASK_ERROR_CHARS_MAX)
    .toWellFormed()
  return line === '' ? 'the task failed without an error message' : line
}
