import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export type Measured = { readonly ms: number; readonly peakMiB: number }

/** Runs a script of this folder in its own process, because peak memory is only known per process. */
export async function measuredAlone(script: string, databaseUrl: string, argument = ''): Promise<Measured> {
  const child = spawn(process.execPath, [new URL(script, import.meta.url).pathname, argument], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise<number | null>((resolve) => void child.once('close', resolve))
  const output = await text(child.stdout)
  const code = await closed
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${output}`)
  return JSON.parse(output) as Measured
}

/** Called by such a script: measures the work and prints the result. */
export async function printMeasured(work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  const measured: Measured = { ms, peakMiB: process.resourceUsage().maxRSS / 1024 }
  process.stdout.write(JSON.stringify(measured))
}
