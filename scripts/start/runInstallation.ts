import { mkdir } from 'node:fs/promises'
import { type Config, readConfig } from '../../services/platform/config/config.ts'
import { SettingError } from '../../services/platform/config/settingError.ts'
import { untilSignalled } from '../../services/platform/lifecycle.ts'
import { hasTerminal } from './terminal.ts'

export type RunningInstallation = {
  readonly banner: string
  /** Every step of the drain has its limit; this is for what does not even answer that it ends. */
  readonly stopMsMax: number
  stop(): Promise<void>
}

/** null: it was told to stop while it was starting, and has cleaned up. */
export type StartInstallation = (config: Config, signal: AbortSignal) => Promise<RunningInstallation | null>

export type Closers = (() => Promise<void>)[]

/** A start that undoes what it has done when it fails or is called off: each step adds how it is undone. */
export async function startInSteps(
  signal: AbortSignal,
  steps: (closers: Closers) => Promise<Omit<RunningInstallation, 'stop'>>,
): Promise<RunningInstallation | null> {
  const closers: Closers = []
  const stop = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const running = await steps(closers)
    if (!signal.aborted) return { ...running, stop }
    await stop()
    return null
  } catch (error) {
    await stop()
    if (signal.aborted) return null
    throw error
  }
}

/** From the settings to the end of the drain, for the commands that run a whole installation. */
export async function runInstallation(start: StartInstallation): Promise<void> {
  // Whoever read the banner may be gone by the time of the drain; that must not end it.
  process.stdout.on('error', () => {})
  // A hang-up asks the running gateway to read its providers anew and must not end a start or a drain; only one that
  // comes because the terminal was closed means that nobody wants it to run any more.
  const hadTerminal = hasTerminal()
  process.on('SIGHUP', () => {
    if (hadTerminal && !hasTerminal()) process.kill(process.pid, 'SIGTERM')
  })
  const config = readConfig(process.env)
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new SettingError(`DATA_DIR: the folder ${config.DATA_DIR} cannot be made (${error.code})`)
  })
  const starting = new AbortController()
  const signalled = untilSignalled(() => process.exit(1))
  signalled.then(() => starting.abort())
  const running = await start(config, starting.signal)
  if (!running) return
  process.stdout.write(running.banner)
  await signalled
  process.stdout.write('\nDraining: calls finish, charges land.\n')
  setTimeout(() => process.exit(1), running.stopMsMax).unref()
  await running.stop()
}
