import { parseArgs } from 'node:util'
import { systemClock } from '../services/platform/clock/clock.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { ATTEMPTS_MAX, type HealthCheck, verifyHealth } from './verify/verifyHealth.ts'

const HELP = `npm run verify -- <url> [--json]

Checks whether a deployment is up: requests <url>/health until it answers 200, at most 20 times, 3 seconds apart, within
60 seconds. Exits with 0 if it did and with 1 if it did not.

  npm run verify -- http://127.0.0.1:4001

  --json   prints one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [base] = positionals
    if (base === undefined || positionals.length > 1) throw new WrongUsage('one address is required')
    if (!/^https?:\/\//i.test(base) || !URL.canParse(base))
      throw new WrongUsage(`${base} is not an http or https address`)
    const url = `${base.replace(/\/+$/, '')}/health`
    const { healthy, attempts, status, fault } = await verifyHealth({
      clock: systemClock,
      check: (signal) => checkOnce(url, signal),
      onAttempt: (attempt, check) =>
        process.stderr.write(`attempt ${attempt} of ${ATTEMPTS_MAX}: ${describe(check)}\n`),
    })
    const text = healthy ? `${url} answers 200\n` : `${url} did not answer 200 in ${attempts} attempts\n`
    process.stdout.write(values.json ? `${JSON.stringify({ url, healthy, attempts, status, fault }, null, 2)}\n` : text)
    return healthy ? 0 : 1
  },
})

async function checkOnce(url: string, signal: AbortSignal): Promise<HealthCheck> {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return { status: response.status, fault: null }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return { status: null, fault: cause?.code ?? cause?.message ?? message }
  }
}

function describe({ status, fault }: HealthCheck): string {
  return status === null ? (fault ?? 'no response') : `status ${status}`
}
