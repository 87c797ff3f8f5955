import { Presets, SingleBar } from 'cli-progress'

export type Progress = { update(done: number): void; end(): void }

/** A bar on standard error where a person watches; nothing where it is piped. */
export function progressBar(what: string, total: number): Progress {
  if (!process.stderr.isTTY || total === 0) return { update: () => {}, end: () => {} }
  const bar = new SingleBar(
    {
      format: `${what} {bar} {percentage}% | {value} of {total} events | {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0)
  return { update: (done) => bar.update(Math.min(done, total)), end: () => bar.stop() }
}
