import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DOCUMENT_TEXT_CHARS_MAX } from '../../contracts/limits.ts'
import type { DocumentKind } from './documentKind.ts'
import { BeyondLimits } from './unreadable.ts'

export type DocumentResult = { readonly text: string } | { readonly unreadable: string } | { readonly fault: string }

export type ProcessLimits = {
  readonly heapMbMax: number
  /** The CPU time of the whole process, in case this process can no longer end it. */
  readonly cpuSecondsMax: number
  /** Writable memory, of which Node reserves more than half a gigabyte without using it. */
  readonly dataKbMax: number
}

const CHILD = new URL('./documentChild.ts', import.meta.url)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const YOUNG_MB_MAX = 16
/** A lower priority than all services: on a busy machine, a tenth of what one of their threads gets. */
export const READER_PRIORITY = 10
/** JSON writes a character in at most six bytes. */
const ANSWER_BYTES_MAX = 'ready\n'.length + 6 * DOCUMENT_TEXT_CHARS_MAX + 1_000
/** Limits that the system refuses are skipped: the parent watches memory and time as well. */
const LIMITED = 'ulimit -c 0; ulimit -t "$1"; ulimit -d "$2"; shift 2; exec "$@"'

/**
 * A process that reads one document and then exits, so that no document is exposed to leftovers of another. Running out
 * of memory ends the whole process, whatever the limits of its threads. It has no environment, and may neither write
 * files, nor read files beyond its own program, nor start processes.
 */
export class ReaderProcess {
  readonly #child: ChildProcess
  readonly #ready = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()
  #answer = Buffer.alloc(0)
  #hasExited = false

  constructor(limits: ProcessLimits, program: URL = CHILD) {
    const { command, args } = commandOf(limits, fileURLToPath(program))
    this.#child = spawn(command, args, { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore', 'pipe'] })
    lowerPriority(this.#child.pid)
    this.#child.once('error', (error) => this.#exited(error))
    this.#child.once('close', (code, signal) => this.#exited(new Error(`it exited with ${signal ?? code}`)))
    // If a process dies while the document is being sent, its exit reports that. There are no pipes if this process has
    // too many open files.
    const [input, , , answers] = (this.#child.stdio ?? []) as (Socket | null | undefined)[]
    input?.on('error', () => {})
    answers?.on('error', () => {})
    answers?.on('data', (chunk: Buffer) => this.#received(chunk))
    // A waiting process does not keep this one alive.
    this.#child.unref()
    input?.unref()
    answers?.unref()
    this.#ready.promise.catch(() => {})
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** Rejects if the process could not be started, which is not the document's fault. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Throws BeyondLimits if the process ends without a result. */
  async read(kind: DocumentKind, bytes: Buffer): Promise<DocumentResult> {
    this.#child.stdin?.write(`${kind}\n`)
    this.#child.stdin?.end(bytes)
    await this.#closed.promise
    const result = resultIn(this.#answer.subarray(this.#answer.indexOf('\n') + 1))
    if (result === null) throw new BeyondLimits()
    return result
  }

  async end(): Promise<void> {
    if (this.#hasExited) return
    this.#child.ref()
    this.#child.kill('SIGKILL')
    await this.#closed.promise
  }

  #received(chunk: Buffer): void {
    this.#answer = Buffer.concat([this.#answer, chunk])
    if (this.#answer.length > ANSWER_BYTES_MAX) {
      this.#answer = Buffer.alloc(0)
      this.#child.kill('SIGKILL')
    } else if (this.#answer.includes('\n')) this.#ready.resolve()
  }

  #exited(reason: Error): void {
    this.#hasExited = true
    this.#ready.reject(new Error(`the process that reads documents did not start: ${reason.message}`))
    this.#closed.resolve()
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, READER_PRIORITY)
  } catch {
    // The process has already ended, which its exit reports.
  }
}

function commandOf({ heapMbMax, cpuSecondsMax, dataKbMax }: ProcessLimits, program: string) {
  const node = [
    process.execPath,
    ...[`--max-old-space-size=${heapMbMax}`, `--max-semi-space-size=${YOUNG_MB_MAX}`],
    ...['--disallow-code-generation-from-strings', '--permission'],
    ...readablePaths(program).map((path) => `--allow-fs-read=${path}`),
    program,
  ] as const
  if (process.platform === 'win32') return { command: node[0], args: node.slice(1) }
  return { command: '/bin/sh', args: ['-c', LIMITED, 'sh', String(cpuSecondsMax), String(dataKbMax), ...node] }
}

/** The program and its packages, which may be linked from elsewhere, but neither settings nor data. */
function readablePaths(program: string): readonly string[] {
  const library = createRequire(import.meta.url).resolve('mammoth')
  const packages = library.slice(0, library.lastIndexOf(`${sep}node_modules${sep}`))
  const folders = [
    dirname(program),
    join(ROOT, 'contracts'),
    join(ROOT, 'node_modules'),
    join(packages, 'node_modules'),
  ]
  return [...folders, join(ROOT, 'package.json')]
}

/** null if the process did not write a complete result. */
function resultIn(answer: Buffer): DocumentResult | null {
  try {
    const result = JSON.parse(answer.toString()) as Partial<Record<'text' | 'unreadable' | 'fault', unknown>>
    const [[kind, value] = []] = Object.entries(result)
    const isKnown = kind === 'text' || kind === 'unreadable' || kind === 'fault'
    return isKnown && typeof value === 'string' ? (result as DocumentResult) : null
  } catch {
    return null
  }
}
