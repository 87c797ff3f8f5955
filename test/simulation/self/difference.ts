import { openSeedRunner } from '../seedRunner.ts'
import type { WorldName } from '../world.ts'

const LINES_BEFORE = 8
const LINES_AFTER = 3

/** Runs seeds of a world and prints where the last run differs from the first one, which must be of the same seed. */
export async function run([world, ...seeds]: readonly string[]): Promise<void> {
  const runner = await openSeedRunner(world as WorldName)
  const traces: string[][] = []
  for (const seed of seeds) {
    const trace: string[] = []
    await runner.run(Number(seed), (line) => trace.push(line))
    traces.push(trace)
  }
  const [first = [], last = []] = [traces[0], traces.at(-1)]
  const at = first.findIndex((line, n) => line !== last[n])
  const around = (trace: readonly string[]) => trace.slice(Math.max(0, at - LINES_BEFORE), at + LINES_AFTER).join('\n')
  process.stdout.write(at === -1 ? 'no difference\n' : `line ${at}\n${around(first)}\n---\n${around(last)}\n`)
}
