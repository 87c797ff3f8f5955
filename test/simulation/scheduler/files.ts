import { basename, dirname } from 'node:path'
import type { FaultPlan } from '../faults/faultPlan.ts'
import { refuse } from './failures.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimulatedProcess } from './simulatedProcess.ts'

/**
 * All data folders are here, in one tree. Processes whose `DATA_DIR` is this folder share it, as the gateways of
 * docker-compose.yml share a volume; one whose `DATA_DIR` is a folder below it has that to itself.
 */
export const FILES_ROOT = '/simulated'

const CALL_MS_MAX = 1
const SLOW_MS_MAX = 5_000
/** A process that is killed between two of these calls leaves something half done. */
const CHANGING = ['writeFile', 'rename', 'rm']

type File = {
  written: Buffer
  /** What is on the disk for certain. */
  synced: Buffer
  modifiedMs: number
  writer: SimulatedProcess | null
}

/** A change of a folder that is lost if the machine crashes before the folder is synced. */
type Change = {
  readonly writer: SimulatedProcess | null
  readonly fault: 'file is missing' | 'removed file is back'
  readonly undo: () => void
}

type CallOptions = { readonly recursive?: boolean; readonly flush?: boolean; readonly force?: boolean }

type Operation = (owner: SimulatedProcess | null, ...values: never[]) => unknown

type FilesOptions = {
  readonly scheduler: Scheduler
  readonly faults: FaultPlan
  readonly random: Random
  /** Default: it is not started again. */
  readonly kill?: (owner: SimulatedProcess) => void
}

/**
 * The files of an installation, in memory. A process that is killed leaves everything that it has written. Its machine
 * may crash with it: then what it has not synced may be torn or missing, and a block of the disk may be lost.
 */
export class SimulatedFiles {
  readonly #options: FilesOptions
  /** The paths of files that a crash has damaged. They may have been removed since. */
  readonly damaged = new Set<string>()
  readonly #files = new Map<string, File>()
  readonly #changes = new Map<string, Change[]>([[FILES_ROOT, []]])
  readonly #users = new WeakSet<SimulatedProcess>()
  readonly #operations: Readonly<Record<string, Operation>>

  constructor(options: FilesOptions) {
    this.#options = options
    this.#operations = {
      mkdir: (_owner, folder: string, options?: CallOptions) => this.#makeFolder(folder, options?.recursive),
      readdir: (_owner, folder: string) => this.#namesIn(folder),
      open: (owner, path: string, flags = 'r') => this.#open(owner, path, flags),
      readFile: (_owner, path: string, encoding?: BufferEncoding) => this.#read(path, encoding),
      writeFile: (owner, path: string, content: string, options?: CallOptions) => {
        const file = this.#create(owner, path)
        file.written = Buffer.from(content)
        if (options?.flush) file.synced = file.written
      },
      rename: (owner, from: string, to: string) => this.#rename(owner, from, to),
      rm: (owner, path: string, options?: CallOptions) => this.#remove(owner, path, options?.force),
      stat: (_owner, path: string) => this.#stat(path),
    }
  }

  static covers(path: unknown): boolean {
    return typeof path === 'string' && (path === FILES_ROOT || path.startsWith(`${FILES_ROOT}/`))
  }

  /** A call of `node:fs/promises`. */
  call(name: string, values: readonly unknown[]): Promise<unknown> {
    const operation = this.#operations[name]
    if (!operation) refuse(`the file call ${name} of ${values[0]}`)
    const owner = this.#options.scheduler.processes.getStore() ?? null
    return this.#later(owner, name, String(values[0]), () => operation(owner, ...(values as never[])))
  }

  /** For checkers: the names of the files below a folder, and what they contain. */
  *contents(folder: string = FILES_ROOT): Generator<readonly [path: string, text: string]> {
    for (const [path, { written }] of this.#files) {
      if (path.startsWith(`${folder}/`)) yield [path, written.toString()]
    }
  }

  /** Whether a call that a killed process did not see end has happened is up to the seed. */
  #later(owner: SimulatedProcess | null, name: string, path: string, work: () => unknown): Promise<unknown> {
    const { scheduler, faults, random, kill = (killed) => killed.kill() } = this.#options
    if (owner && !this.#users.has(owner)) {
      this.#users.add(owner)
      owner.onKill(() => this.#crash(owner))
    }
    const attempt = () => {
      try {
        const value = work()
        return (resolve: (value: unknown) => void) => resolve(value)
      } catch (error) {
        return (_resolve: unknown, reject: (error: unknown) => void) => reject(error)
      }
    }
    const early = random.chance(0.5) ? attempt() : null
    const delayMs = random.fraction() * (faults.happens('disk is slow') ? SLOW_MS_MAX : CALL_MS_MAX)
    return new Promise((resolve, reject) => {
      scheduler.schedule({ owner, label: `file ${name} ${basename(path)}`, delayMs }, () => {
        const end = early ?? attempt()
        if (owner && CHANGING.includes(name) && faults.happens('process is killed at a file call')) kill(owner)
        else end(resolve, reject)
      })
    })
  }

  #crash(owner: SimulatedProcess): void {
    const { faults, random } = this.#options
    for (const changes of this.#changes.values()) {
      for (const change of changes.splice(0).reverse()) {
        if (change.writer !== owner) changes.unshift(change)
        else if (faults.happens(change.fault)) change.undo()
      }
    }
    for (const [path, file] of this.#files) {
      if (file.writer !== owner) continue
      if (!file.written.equals(file.synced) && faults.happens('file is torn')) {
        file.written = file.written.subarray(0, random.below(file.written.length))
      }
      if (file.written.length > 0 && faults.happens('file is damaged')) {
        file.written = Buffer.from(file.written).fill(0, random.below(file.written.length))
        this.damaged.add(path)
      }
      file.synced = file.written
    }
  }

  #makeFolder(folder: string, isRecursive = false): void {
    if (this.#changes.has(folder)) {
      if (isRecursive) return
      throw systemError('EEXIST', 'mkdir', folder)
    }
    if (isRecursive) this.#makeFolder(dirname(folder), true)
    this.#changesIn(dirname(folder), 'mkdir')
    this.#changes.set(folder, [])
  }

  #namesIn(folder: string): string[] {
    this.#changesIn(folder, 'scandir')
    const paths = [...this.#files.keys(), ...this.#changes.keys()]
    return paths
      .filter((path) => path !== folder && dirname(path) === folder)
      .map((path) => basename(path))
      .sort()
  }

  #changesIn(folder: string, call: string): Change[] {
    const changes = this.#changes.get(folder)
    if (!changes) throw systemError('ENOENT', call, folder)
    return changes
  }

  #file(path: string, call: string): File {
    const file = this.#files.get(path)
    if (!file) throw systemError(this.#changes.has(path) ? 'EISDIR' : 'ENOENT', call, path)
    return file
  }

  #create(owner: SimulatedProcess | null, path: string): File {
    const { scheduler } = this.#options
    const modifiedMs = scheduler.nowMs + (owner?.clockAheadMs ?? 0)
    const changes = this.#changesIn(dirname(path), 'open')
    const known = this.#files.get(path)
    if (known) return Object.assign(known, { written: Buffer.alloc(0), modifiedMs, writer: owner })
    const file: File = { written: Buffer.alloc(0), synced: Buffer.alloc(0), modifiedMs, writer: owner }
    this.#files.set(path, file)
    changes.push({ writer: owner, fault: 'file is missing', undo: () => void this.#files.delete(path) })
    return file
  }

  #read(path: string, encoding: BufferEncoding | undefined): string | Buffer {
    const { written } = this.#file(path, 'open')
    return encoding ? written.toString(encoding) : Buffer.from(written)
  }

  #rename(owner: SimulatedProcess | null, from: string, to: string): void {
    const file = this.#file(from, 'rename')
    const replaced = this.#files.get(to)
    this.#files.delete(from)
    this.#files.set(to, file)
    const undo = () => {
      if (this.#files.get(to) !== file) return
      this.#files.set(from, file)
      if (replaced) this.#files.set(to, replaced)
      else this.#files.delete(to)
    }
    this.#changesIn(dirname(to), 'rename').push({ writer: owner, fault: 'file is missing', undo })
  }

  #remove(owner: SimulatedProcess | null, path: string, isForced = false): void {
    const file = this.#files.get(path)
    if (!file && isForced && !this.#changes.has(path)) return
    this.#file(path, 'rm')
    this.#files.delete(path)
    const undo = () => {
      if (file && !this.#files.has(path)) this.#files.set(path, file)
    }
    this.#changesIn(dirname(path), 'rm').push({ writer: owner, fault: 'removed file is back', undo })
  }

  #stat(path: string): unknown {
    const isFolder = this.#changes.has(path)
    const { modifiedMs, written } = isFolder ? { modifiedMs: 0, written: Buffer.alloc(0) } : this.#file(path, 'stat')
    return { size: written.length, mtimeMs: modifiedMs, isFile: () => !isFolder, isDirectory: () => isFolder }
  }

  #open(owner: SimulatedProcess | null, path: string, flags: string): unknown {
    const isFolder = this.#changes.has(path)
    if (flags !== 'w' && !(flags === 'r' && isFolder)) refuse(`opening ${path} for ${flags}`)
    const file = isFolder ? null : this.#create(owner, path)
    const calls: Record<string, (content: string) => unknown> = {
      sync: () => {
        if (file) file.synced = file.written
        else this.#changesIn(path, 'fsync').splice(0)
      },
      close: () => {},
      ...(file && {
        writeFile: (content: string) => {
          file.written = Buffer.concat([file.written, Buffer.from(content)])
        },
      }),
    }
    return new Proxy(calls, {
      get: (_target, name) => {
        // A handle is no promise.
        if (name === 'then') return undefined
        const call = calls[String(name)]
        if (!call) refuse(`the call ${String(name)} of the open file ${path}`)
        return (content: string) => this.#later(owner, String(name), path, () => call(content))
      },
    })
  }
}

function systemError(code: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${call} '${path}'`), { code, path, syscall: call })
}
