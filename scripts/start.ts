import { useCompileCache } from './start/compileCache.ts'

useCompileCache()
const { startAll } = await import('./start/startAll.ts')
const { runInstallation } = await import('./start/runInstallation.ts')
const { failStart } = await import('../platform/lifecycle.ts')

const HELP = `npm start: runs Tollgate, all services in one process, on an embedded PostgreSQL.

Settings come from the environment; docs/operators.md lists them. Ctrl-C drains and stops.
`

if (process.argv.includes('--help')) {
  process.stdout.write(HELP)
  process.exit(0)
}

try {
  await runInstallation(startAll)
  // With exitCode, which is not 0 after a drain that an engine held up.
  process.exit()
} catch (error) {
  failStart(error)
}
