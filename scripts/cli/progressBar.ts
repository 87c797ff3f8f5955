import { Presets, SingleBar } from 'cli-progress'

export type Progress = { update(done: number): void; end(): void }

/** A progress bar on standard error if that is a terminal; otherwise nothing. */
export function progressBar(what: string, total: number, unit = 'events'): Progress {
  if (!process.stderr.isTTY || total === 0) return { update: () => {}, end: () => {} }
  const bar = new SingleBar(
    {
      format: `${what} {bar} {percentage}% | {value} of {total} ${unit} | {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0)
  return { update: (done) => bar.update(Math.min(done, total)), end: () => bar.stop() }
}
