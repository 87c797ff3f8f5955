import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { type Profiler, Session } from 'node:inspector'
import { relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openRuntime } from '../../../capabilities/installation.ts'
import type { ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { startGateway } from '../../../services/gateway/startGateway.ts'

/** A gateway in a forked process that reports which files each request runs through. */
export type CoveredGatewayOptions = {
  readonly databaseUrl: string
  readonly settings: Readonly<Record<string, string>>
  readonly providers: ProviderTable
}

/** Sent in this order: the address, then for each message that is sent to it that nothing runs, and after a request its files. */
export type CoveredGatewayMessage = {
  readonly url?: string
  readonly isQuiet?: true
  readonly files?: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const QUIET_MS = 20
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** The repository's files, without tests, in which a function has run since the last call. */
function filesRun(): string[] {
  let scripts: readonly Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error
    scripts = result
  })
  return scripts
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasRun))
    .map(({ url }) => relative(ROOT, fileURLToPath(url)))
    .filter((path) => !/^(?:\.\.|node_modules|test)\//.test(path))
    .toSorted()
}

function hasRun({ ranges }: Profiler.FunctionCoverage): boolean {
  return ranges.some(({ count }) => count > 0)
}

let isServing = false
const { setTimeout: startTimer, setInterval: startInterval } = globalThis
/** A timer that is due while a request is served rings after it, because it is no part of it. */
const afterRequest = (ring: () => void) => () => {
  if (isServing) startTimer(afterRequest(ring), QUIET_MS)
  else ring()
}
type Ring = (...given: unknown[]) => void
Object.assign(globalThis, {
  setTimeout: (ring: Ring, ms: number, ...given: unknown[]) =>
    startTimer(
      afterRequest(() => ring(...given)),
      ms,
    ),
  setInterval: (ring: Ring, ms: number, ...given: unknown[]) =>
    startInterval(
      afterRequest(() => ring(...given)),
      ms,
    ),
})

subscribe('http.server.request.start', (message) => {
  const { response } = message as { readonly response: ServerResponse }
  const { end } = response
  response.end = (...given: unknown[]) => {
    // By then everything has run that waits for nothing more.
    process.nextTick(() => {
      tell({ files: filesRun() })
      isServing = false
    })
    return Reflect.apply(end, response, given)
  }
  isServing = true
  filesRun()
})

async function tellWhenQuiet(): Promise<void> {
  do await wait(QUIET_MS)
  while (filesRun().length > 0)
  tell({ isQuiet: true })
}

function tell(message: CoveredGatewayMessage): void {
  process.send?.(message)
}

process.once('disconnect', () => process.exit())
process.once('message', async ({ databaseUrl, settings, providers }: CoveredGatewayOptions) => {
  const config = readConfig(settings)
  const runtime = await openRuntime({ config, database: databaseUrl, log: null, name: 'gateway', admitsCalls: true })
  const { url } = await startGateway(runtime, providers)
  process.on('message', tellWhenQuiet)
  tell({ url: url ?? '' })
})
