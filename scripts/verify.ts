import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../services/platform/clock/clock.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { ATTEMPTS_MAX, type HealthCheck, verifyHealth } from './verify/verifyHealth.ts'

const HELP = `npm run verify -- <url> [--json]

Checks whether a deployment is up: requests <url>/health until it answers 200 and does not report "unhealthy", at most 20
times, 3 seconds apart, within 60 seconds. A gateway, which has no /health, is asked for /readyz. Exits with 0 if it did and
with 1 if it did not. A deployment that reports "degraded" serves calls and passes.

  npm run verify -- http://127.0.0.1:4001

  --json   prints one JSON document
`

const BODY_BYTES_MAX = 64 * 1024
/** The gateway's routes are those of its callers, so it only has what every service has for load balancers. */
const WITHOUT_HEALTH: readonly number[] = [401, 404]
const healthBody = z.object({ status: z.string() })

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true })
    const [base] = positionals
    if (base === undefined || positionals.length > 1) throw new WrongUsage('one address is required')
    if (!/^https?:\/\//i.test(base) || !URL.canParse(base))
      throw new WrongUsage(`${base} is not an http or https address`)
    const address = base.replace(/\/+$/, '')
    const url = `${address}/health`
    const { healthy, attempts, status, health, fault } = await verifyHealth({
      clock: systemClock,
      check: (signal) => checkOnce(address, signal),
      onAttempt: (attempt, check) =>
        process.stderr.write(`attempt ${attempt} of ${ATTEMPTS_MAX}: ${describe(check)}\n`),
    })
    const text = healthy
      ? `${url} is up: ${describe({ status, health, fault })}\n`
      : `${url} is not up after ${attempts} attempts: ${describe({ status, health, fault })}\n`
    process.stdout.write(
      values.json ? `${JSON.stringify({ url, healthy, attempts, status, health, fault }, null, 2)}\n` : text,
    )
    return healthy ? 0 : 1
  },
})

async function checkOnce(address: string, signal: AbortSignal): Promise<HealthCheck> {
  const ask = (path: string) => fetch(address + path, { signal, redirect: 'manual' })
  try {
    let response = await ask('/health')
    if (WITHOUT_HEALTH.includes(response.status)) response = await ask('/readyz')
    const health = await statusIn(response)
    return { status: response.status, health, fault: null }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return { status: null, health: null, fault: cause?.code ?? cause?.message ?? message }
  }
}

async function statusIn(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return null
  }
  const body = healthBody.safeParse(parsed(Buffer.concat(chunks).toString()))
  return body.success ? body.data.status : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function describe({ status, health, fault }: HealthCheck): string {
  if (status === null) return fault ?? 'no response'
  return health === null ? `status ${status}` : `status ${status}, ${health}`
}
