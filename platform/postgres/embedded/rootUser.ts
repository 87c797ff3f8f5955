import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { type Binaries, binariesIn } from './binaries.ts'
import { clusterInside, clusterOutside, codeOf, type DataFolder, sharedFolder } from './dataFolder.ts'
import { type Launcher, launch } from './launcher.ts'
import { lastLine, runCommand } from './runCommand.ts'

const nobody = 65534

const userNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--']

export type Placement = { readonly launcher: Launcher; readonly clusterDir: string }

/** How to run an existing cluster: as the owner of its files, because PostgreSQL refuses any other user. */
export async function launcherOf(binaries: Binaries, folder: DataFolder, clusterDir: string): Promise<Launcher> {
  const self = process.geteuid?.()
  const owner = await stat(clusterDir)
  if (self !== 0) {
    if (owner.uid === self) return { binaries, prefix: [] }
    throw new Error(
      `The cluster ${clusterDir} belongs to user ${owner.uid}: start as that user, or set DATA_DIR to another folder.`,
    )
  }
  if (owner.uid !== 0) return launcherAs(binaries, owner.uid, owner.gid)
  const refusal = await refusalOfNamespace(binaries, folder)
  if (refusal === null) return { binaries, prefix: userNamespace }
  throw new Error(
    `The cluster ${clusterDir} was created by root in a user namespace, which is not allowed now (${refusal}): ` +
      'allow user namespaces, or give the data folder to an ordinary user with chown -R and start as that user.',
  )
}

/** Where to create a new cluster and how to run it. PostgreSQL refuses root, and initdb a user without an account. */
export async function placeNewCluster(binaries: Binaries, folder: DataFolder, password: string): Promise<Placement> {
  const isRoot = process.geteuid?.() === 0
  const clusterDir = clusterInside(folder)
  if (!isRoot && hasAccount()) return { launcher: { binaries, prefix: [] }, clusterDir }
  const refusal = await refusalOfNamespace(binaries, folder)
  if (refusal === null) return { launcher: { binaries, prefix: userNamespace }, clusterDir }
  if (!isRoot) {
    throw new Error(
      `PostgreSQL cannot run as user ${process.geteuid?.()}, which is not in /etc/passwd, nor in a user namespace (${refusal}): ` +
        'start as a user with an account, or set DATABASE_URL.',
    )
  }
  try {
    const outside = clusterOutside(folder, password)
    await makeOpenFolder(sharedFolder)
    await makeOpenFolder(dirname(outside))
    return { launcher: await launcherAs(binaries, nobody, nobody), clusterDir: outside }
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root, and neither a user namespace (${refusal}) nor the user nobody ` +
        `in ${sharedFolder} (${codeOf(error)}) worked: start as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

// Inside the namespace root cannot access files of other users, so access is tested there.
async function refusalOfNamespace(binaries: Binaries, folder: DataFolder): Promise<string | null> {
  const [command = '', ...args] = userNamespace
  const script = 'test -x "$0" && test -w "$1" && exit 0; echo "no access to $1 or $0"; exit 1'
  const tried = await runCommand(command, [...args, '/bin/sh', '-c', script, binaries.postgres, folder.path])
  return tried.ok ? null : lastLine(tried.output)
}

async function launcherAs(binaries: Binaries, uid: number, gid: number): Promise<Launcher> {
  if ((await refusalOf({ binaries, prefix: [], uid, gid })) === null) return { binaries, prefix: [], uid, gid }
  const copied = { binaries: await copyBinaries(binaries), prefix: [], uid, gid }
  const refusal = await refusalOf(copied)
  if (refusal === null) return copied
  throw new Error(`PostgreSQL cannot be run as user ${uid} from ${copied.binaries.folder}: ${refusal}`)
}

async function refusalOf(launcher: Launcher): Promise<string | null> {
  const { command, args, options } = launch(launcher, launcher.binaries.postgres, ['--version'])
  const tried = await runCommand(command, args, options)
  return tried.ok ? null : lastLine(tried.output)
}

// Other users cannot enter a clone under a folder of mode 700.
async function copyBinaries(binaries: Binaries): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(binaries.folder, '..', 'package.json'), 'utf8'))
  await makeOpenFolder(sharedFolder)
  const target = join(sharedFolder, `binaries-${version}`)
  const isThere = await stat(target).then(Boolean, () => false)
  if (isThere) return binariesIn(target)
  const work = await mkdtemp(join(sharedFolder, 'copying-'))
  try {
    const copy = join(work, 'native')
    await cp(binaries.folder, copy, { recursive: true, verbatimSymlinks: true })
    const names = await readdir(copy, { recursive: true })
    await Promise.all([copy, ...names.map((name) => join(copy, name))].map((path) => chmod(path, 0o755)))
    await rename(copy, target)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return binariesIn(target)
}

// Explicit, because the umask of root may remove the permissions.
async function makeOpenFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await chmod(path, 0o755)
}

function hasAccount(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}
