import { closeSync, openSync } from 'node:fs'

/** Whether this process has a controlling terminal that is still open. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
