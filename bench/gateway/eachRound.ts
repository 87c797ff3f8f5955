import { readCpuTicks, stolenSince, warnOfStolen } from '../stolenTime.ts'

/** Runs the rounds of a part, starting with 0, and says in which of them much CPU time was stolen. */
export async function eachRound(count: number, run: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < count; round++) {
    const name = `  round ${round + 1} of ${count}`
    process.stderr.write(`${name}\n`)
    const begin = readCpuTicks()
    await run(round)
    warnOfStolen(name, stolenSince(begin))
  }
}
