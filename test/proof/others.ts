import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { answers, findPython } from '../../scripts/test/findPython.ts'

const run = promisify(execFile)
const repository = path.resolve(import.meta.dirname, '../..')
/** Compiled programs and downloaded packages are kept for the next run. */
const cache = path.join(repository, 'node_modules/.cache/proof')

/** What a program of others has verified, by kind, and what it found wrong. */
export type Report = { readonly verified: Readonly<Record<string, number>>; readonly faults: readonly string[] }
/** Verifies the sample in a folder. */
export type Verifier = (folder: string) => Promise<Report>
export type Offer = { readonly verify: Verifier } | { readonly missing: string }

export const AICS_TLOG_VERSION = '0.2.1'

export async function goVerifier(): Promise<Offer> {
  if (!(await answers('go', ['version']))) return { missing: 'Go is not installed' }
  const program = path.join(cache, 'verify-go')
  mkdirSync(cache, { recursive: true })
  await run('go', ['build', '-o', program, '.'], { cwd: path.join(import.meta.dirname, 'go') })
  return { verify: async (folder) => JSON.parse((await run(program, [folder])).stdout) }
}

export async function pythonVerifier(): Promise<Offer> {
  const python = await findPython(12)
  if (python === undefined) return { missing: 'aics-tlog needs Python 3.12 or newer with pip, and there is none' }
  const packages = path.join(cache, `aics-tlog-${AICS_TLOG_VERSION}-${python.version}`)
  if (!existsSync(packages)) {
    // An interrupted download must not pass for a whole one.
    const partial = `${packages}.${process.pid}`
    const options = ['--quiet', '--disable-pip-version-check', '--target', partial]
    await run(python.command, ['-m', 'pip', 'install', ...options, `aics-tlog==${AICS_TLOG_VERSION}`])
    rmSync(packages, { recursive: true, force: true })
    renameSync(partial, packages)
  }
  const program = path.join(import.meta.dirname, 'python/verify.py')
  const env = { ...process.env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' }
  return { verify: async (folder) => JSON.parse((await run(python.command, [program, folder], { env })).stdout) }
}
