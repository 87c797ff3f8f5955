import { parseArgs } from 'node:util'
import { systemClock } from '../services/platform/clock/clock.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { ATTEMPTS_MAX, type Look, verifyHealth } from './verify/verifyHealth.ts'

const HELP = `npm run verify -- <url> [--json]

Tells whether a deployment is up: asks <url>/health until it answers 200, 20 times at most, 3 seconds apart, 60 seconds
in all. Exit code 0: it did; 1: it did not.

  npm run verify -- http://127.0.0.1:4001

  --json   one JSON document
`

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [base] = positionals
    if (base === undefined || positionals.length > 1) throw new WrongUsage('name one address')
    if (!/^https?:\/\//i.test(base) || !URL.canParse(base)) throw new WrongUsage(`${base} is no http or https address`)
    const url = `${base.replace(/\/+$/, '')}/health`
    const { healthy, attempts, status, fault } = await verifyHealth({
      clock: systemClock,
      look: (signal) => lookAt(url, signal),
      onAttempt: (attempt, look) => process.stderr.write(`attempt ${attempt} of ${ATTEMPTS_MAX}: ${told(look)}\n`),
    })
    const text = healthy ? `${url} answers 200\n` : `${url} did not answer 200 in ${attempts} attempts\n`
    process.stdout.write(values.json ? `${JSON.stringify({ url, healthy, attempts, status, fault }, null, 2)}\n` : text)
    return healthy ? 0 : 1
  },
})

async function lookAt(url: string, signal: AbortSignal): Promise<Look> {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return { status: response.status, fault: null }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return { status: null, fault: cause?.code ?? cause?.message ?? message }
  }
}

function told({ status, fault }: Look): string {
  return status === null ? (fault ?? 'no answer') : `status ${status}`
}
