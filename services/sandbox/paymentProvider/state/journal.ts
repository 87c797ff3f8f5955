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

/** What is appended before the journal is rewritten as a snapshot. */
const APPENDED_BYTES_MAX = 8 * 1024 * 1024

/**
 * One file of JSON lines, readable by its owner only; each line is one change. It is written before the change is
 * answered, by blocking calls: a line is small, and an order that needs no queue cannot be lost by one.
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

  /** Enough was appended since the last snapshot that a new one is worth its while. */
  get isLong(): boolean {
    return this.#appendedBytes > this.#appendedBytesMax
  }

  read(apply: (puts: readonly Put[]) => void): void {
    const lines = this.#content().split('\n')
    for (const [at, line] of lines.entries()) {
      if (line === '') continue
      const puts = parseLine(line)
      if (puts) apply(puts)
      // A process that is killed while it writes leaves half a line behind, which nobody was told of.
      else if (at < lines.length - 1) throw new Error(`${this.#file}: line ${at + 1} cannot be read`)
    }
  }

  append(puts: readonly Put[]): void {
    this.#fd ??= this.#open('a')
    const line = `${JSON.stringify(puts)}\n`
    const { size } = fstatSync(this.#fd)
    try {
      writeWhole(this.#fd, line)
    } catch (error) {
      // A full disk: half a line must not stand before the next one.
      ftruncateSync(this.#fd, size)
      throw error
    }
    this.#appendedBytes += line.length
  }

  /** Replaces the file by a shorter one that says the same: whole or not at all. */
  rewrite(puts: readonly Put[]): void {
    this.close()
    this.#appendedBytes = 0
    // An installation where nobody pays gets no file.
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
