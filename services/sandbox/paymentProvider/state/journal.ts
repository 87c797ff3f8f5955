import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Put } from './records.ts'

/** The journal is rewritten as a snapshot after this many appended bytes. */
const APPENDED_BYTES_MAX = 8 * 1024 * 1024

/**
 * A file of JSON lines, readable by its owner only. Each line is one transaction, written before its request is answered.
 * The writes are synchronous: lines are small, and no queue is needed to keep their order.
 */
export class Journal {
  readonly #file: string
  readonly #appendedBytesMax: number
  #fd: number | null = null
  #appendedBytes = 0

  constructor(file: string, appendedBytesMax = APPENDED_BYTES_MAX) {
    this.#file = file
    this.#appendedBytesMax = appendedBytesMax
  }

  /** Whether enough was appended since the last snapshot to write a new one. */
  get isLong(): boolean {
    return this.#appendedBytes > this.#appendedBytesMax
  }

  read(apply: (puts: readonly Put[]) => void): void {
    const lines = this.#content().split('\n')
    for (const [at, line] of lines.entries()) {
      if (line === '') continue
      const puts = parseLine(line)
      if (puts) apply(puts)
      // A process killed during a write leaves an incomplete last line, whose request was never answered.
      else if (at < lines.length - 1)
        throw new Error(`${this.#file}: line ${at + 1} is not valid JSON; restore or delete the file`)
    }
  }

  append(puts: readonly Put[]): void {
    this.#fd ??= this.#open('a')
    const line = `${JSON.stringify(puts)}\n`
    const { size } = fstatSync(this.#fd)
    try {
      writeWhole(this.#fd, line)
    } catch (error) {
      // The disk may be full. The next line must not follow an incomplete one.
      ftruncateSync(this.#fd, size)
      throw error
    }
    this.#appendedBytes += line.length
  }

  /** Replaces the file atomically by a snapshot. */
  rewrite(puts: readonly Put[]): void {
    this.close()
    this.#appendedBytes = 0
    // An installation without payments has no file.
    if (puts.length === 0) {
      rmSync(this.#file, { force: true })
      return
    }
    const partial = `${this.#file}.partial`
    const fd = this.#open('w', partial)
    for (const put of puts) writeWhole(fd, `${JSON.stringify([put])}\n`)
    fsyncSync(fd)
    closeSync(fd)
    renameSync(partial, this.#file)
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  #open(flags: 'a' | 'w', file = this.#file): number {
    mkdirSync(dirname(file), { recursive: true })
    return openSync(file, flags, 0o600)
  }

  #content(): string {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw error
    }
  }
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}

function parseLine(line: string): Put[] | null {
  try {
    return JSON.parse(line) as Put[]
  } catch {
    return null
  }
}
