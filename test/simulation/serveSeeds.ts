import { openSeedRunner } from './seedRunner.ts'
import type { Outcome } from './simulate.ts'
import type { WorldName } from './world.ts'

/** What a worker is asked for. */
export type SeedRequest = { readonly seed: number; readonly isTraced: boolean }

/** What it says: once when it is ready, then once for each seed. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly requiredCounters: readonly string[] }
  | { readonly kind: 'outcome'; readonly outcome: Outcome; readonly residentBytes: number }

/** Runs the seeds that the parent process names, until it disconnects. */
export async function serveSeeds(): Promise<void> {
  const runner = await openSeedRunner(process.argv[2] as WorldName)
  const say = (message: WorkerMessage) => void process.send?.(message)
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  process.on('message', ({ seed, isTraced }: SeedRequest) => {
    runner.run(seed, isTraced ? print : undefined).then(
      (outcome) => say({ kind: 'outcome', outcome, residentBytes: process.memoryUsage.rss() }),
      (error: unknown) => {
        process.stderr.write(`${String((error as Error).stack)}\n`)
        process.exit(1)
      },
    )
  })
  // The database keeps the process alive.
  process.on('disconnect', () => process.exit())
  say({ kind: 'ready', requiredCounters: runner.world.requiredCounters ?? [] })
}
