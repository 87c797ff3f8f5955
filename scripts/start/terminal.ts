import { closeSync, openSync } from 'node:fs'

/** Whether this process belongs to a terminal that somebody can still see. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
