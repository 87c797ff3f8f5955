import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { untilSignalled } from '../../platform/lifecycle.ts'

export type RunningInstallation = {
  readonly banner: string
  /** Each step of the drain has its own time-out; this one is for a step that never returns. */
  readonly stopMsMax: number
  /** Called when the banner is written. */
  afterReady?(): void
  stop(): Promise<void>
}

/** Resolves with null if the start was aborted and has cleaned up. */
export type StartInstallation = (config: Config, signal: AbortSignal) => Promise<RunningInstallation | null>

export type Closers = (() => Promise<void>)[]

/** Runs a start whose steps register how to undo them, and undoes them if it fails or is aborted. */
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

/** Runs a whole installation, from reading the settings to the end of the drain. */
export async function runInstallation(start: StartInstallation): Promise<void> {
  // The reader of the output may be gone when the next report or the drain writes to it; that must not end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  // SIGHUP makes the gateway reload its providers and must not end a start or a drain. It means stop only if the
  // terminal was closed.
  const hadTerminal = hasTerminal()
  process.on('SIGHUP', () => {
    if (hadTerminal && !hasTerminal()) process.kill(process.pid, 'SIGTERM')
  })
  const config = readConfig(process.env)
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new SettingError(`DATA_DIR: the folder ${config.DATA_DIR} cannot be created (${error.code})`)
  })
  const starting = new AbortController()
  const signalled = untilSignalled(() => process.exit(1))
  signalled.then(() => starting.abort())
  const running = await start(config, starting.signal)
  if (!running) return
  process.stdout.write(running.banner)
  running.afterReady?.()
  await signalled
  process.stdout.write('\nDraining: calls finish and charges are stored.\n')
  setTimeout(() => process.exit(1), running.stopMsMax).unref()
  await running.stop()
}

/** Whether this process has a controlling terminal that is still open. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
