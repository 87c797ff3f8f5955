import { mkdir } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The second start reads compiled code instead of TypeScript; what it saves is most of the start.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compile'))
const { startAll } = await import('./start/startAll.ts')
const { failStart, untilSignalled } = await import('../services/platform/lifecycle.ts')
const { readConfig } = await import('../services/platform/config/config.ts')
const { SettingError } = await import('../services/platform/config/settingError.ts')

const STOP_MS_MAX = 20_000
const HELP = `npm start: Tollgate, all services in one process, on an embedded PostgreSQL.

Settings come from the environment; the README lists them. Ctrl-C drains and stops.
`

if (process.argv.includes('--help')) {
  process.stdout.write(HELP)
  process.exit(0)
}

// Whoever read the banner may be gone by the time of the drain; that must not end it.
process.stdout.on('error', () => {})

try {
  const config = readConfig(process.env)
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new SettingError(`DATA_DIR: the folder ${config.DATA_DIR} cannot be made (${error.code})`)
  })
  const starting = new AbortController()
  const signalled = untilSignalled(() => process.exit(1))
  signalled.then(() => starting.abort())
  const running = await startAll(config, starting.signal)
  if (running) {
    process.stdout.write(running.banner)
    await signalled
    process.stdout.write('\nDraining: calls finish, charges land.\n')
    // Every step of the drain has its limit; this one is for a database that does not even answer that it ends.
    setTimeout(() => process.exit(1), 2 * config.DRAIN_TIMEOUT_MS + STOP_MS_MAX).unref()
    await running.stop()
  }
  process.exit(0)
} catch (error) {
  failStart(error)
}
