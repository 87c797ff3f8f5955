type Versions = Record<string, string>

export type PackageJson = {
  dependencies?: Versions
  devDependencies?: Versions
  optionalDependencies?: Versions
  overrides?: Versions
  allowScripts?: Record<string, boolean>
}

export type LockedPackage = {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  optionalDependencies?: Versions
}

export type LockFile = { packages: Record<string, LockedPackage> }

const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/
const folder = 'node_modules/'

const nameOf = (at: string) => at.slice(at.lastIndexOf(folder) + folder.length)

/** Looks a package up as Node does: beside its dependent, then in each folder above. */
const isLocked = ({ packages }: LockFile, asking: string, name: string): boolean => {
  for (let at = asking; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${folder}`)))) {
    if (packages[`${at === '' ? '' : `${at}/`}${folder}${name}`] !== undefined) return true
    if (at === '') return false
  }
}

const versionFaults = ({ dependencies, devDependencies, optionalDependencies, overrides }: PackageJson) =>
  Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides })
    .filter(([, version]) => !exactVersion.test(version))
    .map(([name, version]) => `${name} is given as ${version} in package.json: write one exact version`)

/** What would make `npm ci` differ or fail on another machine, platform or version of npm. */
export function lockFileFaults(packageJson: PackageJson, lockFile: LockFile): string[] {
  const faults = versionFaults(packageJson)
  for (const [at, locked] of Object.entries(lockFile.packages)) {
    for (const name of Object.keys(locked.optionalDependencies ?? {})) {
      if (!isLocked(lockFile, at, name)) {
        faults.push(`${name}, which ${nameOf(at)} wants on its platform, is missing: npm ci fails there on npm 12`)
      }
    }
    if (at === '') continue
    if (locked.integrity === undefined) faults.push(`${at} has no integrity, so any content would be installed`)
    if (locked.resolved?.includes('//')) {
      faults.push(`${at} is tied to a host: ${locked.resolved} (see omit-lockfile-registry-resolved in .npmrc)`)
    }
    if (locked.hasInstallScript && packageJson.allowScripts?.[nameOf(at)] === undefined) {
      faults.push(`${nameOf(at)} has an install script that allowScripts in package.json neither allows nor forbids`)
    }
  }
  return faults
}
