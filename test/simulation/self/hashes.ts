import { openSeedRunner } from '../seedRunner.ts'
import type { WorldName } from '../world.ts'

/** Prints the hashes of these seeds of a world, which run one after the other in this process, and what each took. */
export async function run([world, ...seeds]: readonly string[]): Promise<void> {
  const runner = await openSeedRunner(world as WorldName)
  for (const seed of seeds) {
    const before = process.cpuUsage()
    const { hash, steps, failure } = await runner.run(Number(seed))
    const { user, system } = process.cpuUsage(before)
    const seconds = ((user + system) / 1e6).toFixed(2)
    const megabytes = Math.round(process.memoryUsage.rss() / 2 ** 20)
    process.stdout.write(`${seed} ${hash}\n`)
    process.stderr.write(`${seed}: ${steps} steps, ${seconds} s of CPU time, ${megabytes} MB\n`)
    if (failure) process.stderr.write(`${failure.invariant}: ${failure.detail}\n`)
  }
}
