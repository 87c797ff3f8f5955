import type { Installation } from '../support/harness/installation.ts'

/** Only prints the figure: the benchmark compares it with its limit. */
export function printSeconds(which: string, { startSeconds }: Installation): void {
  process.stdout.write(`npm start: ready ${startSeconds.at(-1)?.toFixed(2)} s after the command (${which} start)\n`)
}
