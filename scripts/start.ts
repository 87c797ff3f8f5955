import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The second start reads compiled code instead of TypeScript; what it saves is most of the start.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compile'))
const { startAll } = await import('./start/startAll.ts')
const { runInstallation } = await import('./start/runInstallation.ts')
const { failStart } = await import('../services/platform/lifecycle.ts')

const HELP = `npm start: Tollgate, all services in one process, on an embedded PostgreSQL.

Settings come from the environment; docs/operators.md lists them. Ctrl-C drains and stops.
`

if (process.argv.includes('--help')) {
  process.stdout.write(HELP)
  process.exit(0)
}

try {
  await runInstallation(startAll)
  process.exit(0)
} catch (error) {
  failStart(error)
}
