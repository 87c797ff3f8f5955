import { createHash, randomBytes } from 'node:crypto'
import { access, constants, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { unwritable } from '../../files/atomicFile.ts'

export type DataFolder = {
  readonly path: string
  readonly passwordFile: string
  /** Contains the path of the cluster if it is not inside this folder. */
  readonly locationFile: string
  readonly logFile: string
}

/** Where root stores the cluster of a user who cannot enter the data folder. */
export const sharedFolder = '/var/lib/tollgate'

/** Creates the data folder if it does not exist, and refuses one that is not writable. */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const wanted = resolve(dataDir)
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 })
    const folder = await layout(wanted)
    await access(folder.path, constants.W_OK | constants.X_OK)
    await mkdir(dirname(folder.logFile), { recursive: true, mode: 0o700 })
    await access(dirname(folder.logFile), constants.W_OK | constants.X_OK)
    return folder
  } catch (error) {
    throw new Error(
      `The data folder ${wanted} cannot be written (${codeOf(error)}): ` +
        'make it writable for this user, or set DATA_DIR to another folder.',
      { cause: error },
    )
  }
}

/** The layout of an existing folder. Links are resolved, so that a folder has only one name. */
export async function layout(dataDir: string): Promise<DataFolder> {
  const path = await realpath(dataDir)
  return {
    path,
    passwordFile: join(path, 'postgres-password'),
    locationFile: join(path, 'postgres-location'),
    logFile: join(path, 'logs', 'postgres.log'),
  }
}

/** Null if there is none yet. A kill during the write leaves an empty file. */
export async function readPassword(folder: DataFolder): Promise<string | null> {
  try {
    return (await readFile(folder.passwordFile, 'utf8')).trim() || null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new Error(
      `The password file ${folder.passwordFile} cannot be read (${codeOf(error)}): start as the user who created it.`,
      { cause: error },
    )
  }
}

export async function makePassword(folder: DataFolder): Promise<string> {
  const password = randomBytes(24).toString('hex')
  await writeNamed(folder.passwordFile, `${password}\n`, 0o600)
  return password
}

/** Writes the file to the disk. Errors of a write, unlike those of opening a file, do not name the path. */
export async function writeNamed(file: string, text: string, mode: number): Promise<void> {
  await writeFile(file, text, { mode, flush: true }).catch((error: unknown) => {
    throw unwritable(file, error)
  })
}

/**
 * Finds the folder of the cluster; null if none was created yet. Throws if the location file names a missing cluster: a
 * new, empty one would look like lost data.
 */
export async function findCluster(folder: DataFolder, password: string | null): Promise<string | null> {
  const location = await readFile(folder.locationFile, 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
  if (location !== null) {
    if (await isCluster(location)) return location
    throw new Error(
      `The cluster ${location}, named by ${folder.locationFile}, does not exist: restore it, or delete that file to start over.`,
    )
  }
  const inside = clusterInside(folder)
  if (await isCluster(inside)) return inside
  if (password === null) return null
  const outside = clusterOutside(folder, password)
  return (await isCluster(outside).catch(() => false)) ? outside : null
}

export function clusterInside(folder: DataFolder): string {
  return join(folder.path, 'postgres')
}

/** The password is part of the name, so that a recreated data folder does not find the old cluster. */
export function clusterOutside(folder: DataFolder, password: string): string {
  const name = createHash('sha256').update(`${folder.path}\n${password}`).digest('hex').slice(0, 16)
  return join(sharedFolder, name, 'postgres')
}

async function isCluster(path: string): Promise<boolean> {
  try {
    await access(join(path, 'PG_VERSION'))
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false
    throw new Error(
      `The cluster ${path} cannot be accessed by this user (${codeOf(error)}): start as the user who created it, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
}

export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
