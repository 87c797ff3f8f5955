import type { Binaries } from './binaries.ts'
import type { CommandOptions } from './runCommand.ts'

/** How the binaries are run: as which user, and wrapped in which command. */
export type Launcher = {
  readonly binaries: Binaries
  readonly prefix: readonly string[]
  readonly uid?: number
  readonly gid?: number
}

type Launch = {
  readonly command: string
  readonly args: readonly string[]
  readonly options: CommandOptions
}

export function launch(launcher: Launcher, binary: string, args: readonly string[]): Launch {
  const [command = binary, ...rest] = [...launcher.prefix, binary, ...args]
  const { uid, gid } = launcher
  return { command, args: rest, options: { env: environment(), ...(uid === undefined ? {} : { uid, gid }) } }
}

// PostgreSQL must see neither our secrets nor PGDATA or PGPORT of the user's shell.
function environment(): Record<string, string> {
  const passed = ['PATH', 'LD_LIBRARY_PATH'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(passed), LC_ALL: 'C', TZ: 'UTC' }
}
