import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../platform/clock/clock.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { ATTEMPTS_MAX, type HealthCheck, verifyHealth } from './verify/verifyHealth.ts'

const HELP = `npm run verify -- <url> [--json]

Checks whether a deployment is up: requests <url>/health until it answers 200 and does not report "unhealthy", and
<url>/readyz until it answers 200, at most 20 times, 3 seconds apart, within 60 seconds. A gateway has no /health and is asked
for /readyz alone. A <url> that ends in /health, /readyz or /livez is requested as it is. Exits with 0 if it did and with 1 if
it did not. A deployment that reports "degraded" serves calls and passes.

  npm run verify -- http://127.0.0.1:4001
  npm run verify -- http://127.0.0.1:4000/livez

  --json   prints one JSON document
`

const BODY_BYTES_MAX = 64 * 1024
/** How a service without this path answers. A gateway's routes are those of its callers, except for the probes. */
const WITHOUT_PATH: readonly number[] = [401, 404]
const PROBES = ['/health', '/readyz', '/livez']
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
    const isProbe = PROBES.some((path) => address.endsWith(path))
    let url = isProbe ? address : `${address}/health`
    const { healthy, attempts, status, health, fault } = await verifyHealth({
      clock: systemClock,
      check: async (signal) => {
        const { url: checkedUrl, ...check } = await (isProbe ? ask(address, signal) : checkOnce(address, signal))
        url = checkedUrl
        return check
      },
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

type CheckedUrl = HealthCheck & { readonly url: string }

/** A draining process is healthy until it ends, but a load balancer no longer sends it requests. */
async function checkOnce(address: string, signal: AbortSignal): Promise<CheckedUrl> {
  const health = await ask(`${address}/health`, signal)
  const hasHealth = health.status === null || !WITHOUT_PATH.includes(health.status)
  if (hasHealth && health.status !== 200) return health
  const ready = await ask(`${address}/readyz`, signal)
  const hasReadiness = ready.status === null || !WITHOUT_PATH.includes(ready.status)
  return hasHealth && (!hasReadiness || ready.status === 200) ? health : ready
}

async function ask(url: string, signal: AbortSignal): Promise<CheckedUrl> {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' })
    return { url, status: response.status, health: await statusIn(response), fault: null }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return { url, status: null, health: null, fault: cause?.code ?? cause?.message ?? message }
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
