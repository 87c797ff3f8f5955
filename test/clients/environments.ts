import { type ExecFileException, execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { findPython } from '../../scripts/test/findPython.ts'
import { type DocumentedClient, fileNameOf, type Package } from './documentedClients.ts'
import tools from './npm/package.json' with { type: 'json' }

const run = promisify(execFile)
const repository = path.resolve(import.meta.dirname, '../..')
/** What was downloaded is kept for the next run. */
const cache = path.join(repository, 'node_modules/.cache/clients')
/** Also writes the pins: `uv pip compile --universal --python-version 3.12 --no-annotate --no-header`. */
const UV = 'uv==0.13.8'
const PYTHON_MINOR_MIN = 12
/** Clients that do not run on the newest Python. */
const PYTHON_MINOR_MAX: Readonly<Record<string, number>> = { aider: 12 }

/** The folder of a client's programs, or why it cannot be had here. */
export type Environment = { readonly bin: string } | { readonly missing: string }

export async function environmentOf(client: DocumentedClient): Promise<Environment> {
  try {
    return await (client.installer === 'npm' ? npmEnvironment(client) : pythonEnvironment(client))
  } catch (error) {
    // The client cannot help it that a registry does not answer.
    if (error instanceof InstallFailed) return { missing: error.message }
    throw error
  }
}

class InstallFailed extends Error {}

async function install(command: string, args: readonly string[], cwd?: string): Promise<void> {
  await run(command, args, { cwd, maxBuffer: 16 * 1024 * 1024 }).catch((error: ExecFileException) => {
    throw new InstallFailed(`${command} ${args[0]} failed: ${(error.stderr ?? error.message).trim().slice(-300)}`)
  })
}

async function pythonEnvironment(client: DocumentedClient): Promise<Environment> {
  const python = await findPython(PYTHON_MINOR_MIN, PYTHON_MINOR_MAX[client.name])
  if (python === undefined) return { missing: `${client.name} needs another Python with pip than there is` }
  const pins = path.join(import.meta.dirname, 'python', `${fileNameOf(client)}.txt`)
  const pinned = await readFile(pins, 'utf8')
  requirePinned(client, pins, ({ name, version }) => pinned.split('\n').includes(`${name}==${version}`))
  const uv = await uvOf(python.command)
  const folder = await once(`${fileNameOf(client)}-${python.version}-${contentId(pinned)}`, async (partial) => {
    await install(uv, ['venv', '--quiet', '--relocatable', '--python', python.command, partial])
    await install(uv, ['pip', 'install', '--quiet', '--python', path.join(partial, 'bin/python'), '-r', pins])
  })
  return { bin: path.join(folder, 'bin') }
}

/** The guide must not name other versions than those that are tested. */
function requirePinned({ packages }: DocumentedClient, file: string, isPinned: (named: Package) => boolean): void {
  const wrong = packages.find((named) => !isPinned(named))
  if (wrong) throw new Error(`${file} does not pin ${wrong.name} ${wrong.version}, which the guide names`)
}

/** uv installs in seconds what takes pip minutes. */
async function uvOf(python: string): Promise<string> {
  const folder = await once(UV, async (partial) => {
    await install(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', partial, UV])
  })
  return path.join(folder, 'bin/uv')
}

/** Command-line clients are pinned beside this file, libraries are those that the other tests use. */
async function npmEnvironment(client: DocumentedClient): Promise<Environment> {
  const source = path.join(import.meta.dirname, 'npm')
  const pins: Readonly<Record<string, string>> = { ...tools.dependencies, ...manifest.devDependencies }
  requirePinned(client, 'package.json', ({ name, version }) => pins[name] === version)
  if (client.program.language !== 'sh') return { bin: path.join(repository, 'node_modules/.bin') }
  const lock = await readFile(path.join(source, 'package-lock.json'), 'utf8')
  const folder = await once(`npm-${contentId(lock)}`, async (partial) => {
    await cp(source, partial, { recursive: true })
    await install('npm', ['ci', '--no-audit', '--no-fund'], partial)
  })
  return { bin: path.join(folder, 'node_modules/.bin') }
}

const making = new Map<string, Promise<string>>()

/** A folder of the cache, made by the first that asks for it. An interrupted download never passes for a whole one. */
function once(name: string, make: (partial: string) => Promise<void>): Promise<string> {
  const made = making.get(name) ?? makeFolder(name, make)
  making.set(name, made)
  return made
}

async function makeFolder(name: string, make: (partial: string) => Promise<void>): Promise<string> {
  const folder = path.join(cache, name)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const partial = `${folder}.${process.pid}`
  await make(partial)
  rmSync(folder, { recursive: true, force: true })
  renameSync(partial, folder)
  return folder
}

function contentId(text: string): string {
  return hash('sha256', text).slice(0, 12)
}
