import { chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from './dataFolder.ts'
import { type Launcher, launch } from './launcher.ts'
import { listProcesses } from './processTable.ts'
import { type CommandOptions, lastLine, runCommand } from './runCommand.ts'
import { sendSignal } from './sendSignal.ts'

export const superuser = 'tollgate'

const workPrefix = 'postgres.init-'
const trashPrefix = 'postgres.trash-'

// One syncfs takes a tenth of the time of a thousand fsyncs, or half of it while the pages of npm ci are still dirty.
// Only Linux has it.
const SYNC_OPTIONS = process.platform === 'linux' ? ['--sync-method=syncfs'] : []

export type ClusterWatch = Pick<CommandOptions, 'signal' | 'onSpawn'>

/** Creates the cluster in a temporary folder and renames it once it is on disk, so that a kill leaves no partial cluster. */
export async function makeCluster(
  clusterDir: string,
  launcher: Launcher,
  password: string,
  { signal, onSpawn }: ClusterWatch = {},
): Promise<void> {
  const parent = dirname(clusterDir)
  const work = await mkdtemp(join(parent, workPrefix))
  try {
    const passwordFile = join(work, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (launcher.uid !== undefined && launcher.gid !== undefined) {
      await chown(work, launcher.uid, launcher.gid)
      await chown(passwordFile, launcher.uid, launcher.gid)
    }
    const made = join(work, 'cluster')
    await runInitdb(made, passwordFile, launcher, { signal, onSpawn })
    await rename(made, clusterDir)
    await syncFolder(parent)
  } catch (error) {
    signal?.throwIfAborted()
    throw new Error(`The database cluster could not be created in ${parent}: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

/** Removes the leftovers of a start that was killed during initdb, and kills that initdb if it is still running. */
export async function removeHalfMade(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  const left = names.filter((name) => name.startsWith(workPrefix) || name.startsWith(trashPrefix))
  if (left.length === 0) return
  for (const { pid, command } of await listProcesses()) {
    if (command.includes(`initdb -D ${join(parent, workPrefix)}`)) sendSignal(pid, 'SIGKILL')
  }
  for (const name of left) {
    // Renamed first, so that an initdb that is still running cannot put a partly deleted cluster in place.
    const trash = await mkdtemp(join(parent, trashPrefix))
    await rename(join(parent, name), join(trash, name)).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    await rm(trash, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function runInitdb(made: string, passwordFile: string, launcher: Launcher, watch: ClusterWatch): Promise<void> {
  const settings = [
    '-D',
    made,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...SYNC_OPTIONS,
  ]
  const { command, args, options } = launch(launcher, launcher.binaries.initdb, settings)
  const { ok, output } = await runCommand(command, args, { ...options, ...watch })
  if (!ok) throw new Error(`initdb failed: ${reasonIn(output)}`)
}

// initdb prints the error in one line and then messages about cleaning up.
function reasonIn(output: string): string {
  const fault = output.split('\n').find((line) => /\b(error|FATAL|PANIC):/.test(line))
  return fault?.trim() ?? lastLine(output)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
