import type { Runtime } from '../../capabilities/installation.ts'
import { type CatchUp, CatchUpProgress } from '../../capabilities/readModels/catchUpProgress.ts'
import { percentOf } from '../../capabilities/readModels/readModelHealth.ts'

const REPORT_EVERY_MS = 5_000

/**
 * Reports the progress of the read models every few seconds until they are current, even after the start is ready.
 * Writes nothing if none is far behind. Returns a function that stops it.
 */
export function reportCatchUp(
  { config, engines, clock }: Pick<Runtime, 'config' | 'engines' | 'clock'>,
  write: (line: string) => void,
): () => void {
  const { database, store } = engines
  const progress = new CatchUpProgress({ database, store, usesKafka: config.KAFKA_BROKERS !== undefined }, clock)
  let wasBehind = false
  let isReading = false
  const report = async () => {
    if (isReading) return
    isReading = true
    try {
      const found = await progress.read()
      if (found.behind.length > 0 || wasBehind) write(lineOf(found))
      wasBehind = found.behind.length > 0
      if (!wasBehind) timer.cancel()
    } catch {
      // A database that does not answer is reported elsewhere.
    } finally {
      isReading = false
    }
  }
  const timer = clock.every(REPORT_EVERY_MS, () => void report())
  return () => timer.cancel()
}

export function lineOf({ behind, done, secondsLeft }: CatchUp): string {
  if (behind.length === 0) return 'All read models are current.\n'
  const left = secondsLeft === null ? '' : `, about ${durationOf(secondsLeft)} left`
  return `Read models are catching up with the event store: ${percentOf(done)} %${left}.\n`
}

function durationOf(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
