import { DOCUMENT_BYTES_MAX } from '../../../contracts/limits.ts'
import type { Clock, Timer } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import { CompanyTurns, type TurnLimits } from './companyTurns.ts'
import type { DocumentKind } from './documentKind.ts'
import { readPlainText } from './plainText.ts'
import { ReaderProcess } from './readerProcess.ts'
import { residentBytesOf } from './residentMemory.ts'
import { BeyondLimits, ReadingCanceled, Unreadable } from './unreadable.ts'

/** Limits of the process that reads one document: time, heap, and resident memory with its heap and buffers. */
const DOCUMENT_READ_MS = 10_000
const DOCUMENT_HEAP_MB_MAX = 256
const DOCUMENT_RESIDENT_BYTES_MAX = 512 * 1024 * 1024
/** What the operating system enforces, in case that memory grows faster than it is watched. */
const DOCUMENT_DATA_KB_MAX = 1_536 * 1024
const DOCUMENT_READERS_MAX = 3
const DOCUMENT_READERS_PER_COMPANY_MAX = 2
const DOCUMENTS_WAITING_MAX = 32
const DOCUMENTS_WAITING_PER_COMPANY_MAX = 16
/** The time that a process takes to start on a busy machine. */
const READER_START_MS = 20_000
/** CPU seconds beyond the time for a document: a start, and the moment until the process is killed. */
const READER_SPARE_CPU_SECONDS = 10
/** Processes that wait for a document end when none has come for this long. */
const READER_IDLE_MS = 60_000
/** Without /proc, each check is a process. */
const MEMORY_CHECK_MS = process.platform === 'linux' ? 50 : 500

export type ReaderLimits = TurnLimits & {
  readonly readMs: number
  readonly heapMbMax: number
  readonly residentBytesMax: number
  readonly idleMs: number
}

const DEFAULT_LIMITS: ReaderLimits = {
  readersMax: DOCUMENT_READERS_MAX,
  readersPerCompanyMax: DOCUMENT_READERS_PER_COMPANY_MAX,
  waitingMax: DOCUMENTS_WAITING_MAX,
  waitingPerCompanyMax: DOCUMENTS_WAITING_PER_COMPANY_MAX,
  readMs: DOCUMENT_READ_MS,
  heapMbMax: DOCUMENT_HEAP_MB_MAX,
  residentBytesMax: DOCUMENT_RESIDENT_BYTES_MAX,
  idleMs: READER_IDLE_MS,
}

export type Reading = {
  readonly companyId: string
  /** Aborts when the text is no longer needed. */
  readonly signal?: AbortSignal | undefined
  /** Called when the document's turn has come. A PDF or DOCX is read once it has resolved. */
  readonly onBegin?: () => Promise<void>
}

/**
 * Reads each document in its own process, within limits of time and memory, so that a hostile file costs only itself.
 * The first process is started for the first document; each that was used is replaced at once by one that waits for the
 * next document.
 */
export class DocumentReader {
  readonly #clock: Clock
  readonly #limits: ReaderLimits
  readonly #program: URL | undefined
  readonly #turns: CompanyTurns
  readonly #closing = new AbortController()
  readonly #inProgress = new Set<Promise<string>>()
  #warm: ReaderProcess[] = []
  #idle: Timer | null = null

  constructor(clock: Clock, limits: Partial<ReaderLimits> = {}, program?: URL) {
    this.#clock = clock
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#program = program
    this.#turns = new CompanyTurns(this.#limits)
  }

  /** The text of a document. Throws Unreadable with the reason if there is none. */
  async read(kind: DocumentKind, bytes: Buffer, reading: Reading): Promise<string> {
    if (kind === 'txt') return readPlainText(bytes)
    if (bytes.length > DOCUMENT_BYTES_MAX) {
      throw new Unreadable(`The document is larger than ${DOCUMENT_BYTES_MAX} bytes.`)
    }
    const text = this.#inTurn(kind, bytes, reading)
    this.#inProgress.add(text)
    try {
      return await text
    } finally {
      this.#inProgress.delete(text)
    }
  }

  /** Ends all processes, and cancels the documents that are read or wait. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#turns.close()
    await Promise.allSettled([...this.#inProgress, this.#endWarm()])
  }

  async #inTurn(kind: DocumentKind, bytes: Buffer, reading: Reading): Promise<string> {
    const endTurn = await this.#turns.enter(reading.companyId, reading.signal)
    let child: ReaderProcess | undefined
    try {
      child = this.#takeWarm() ?? this.#start()
      return await this.#readIn(child, kind, bytes, reading)
    } finally {
      await child?.end()
      this.#keepWarm()
      endTurn()
    }
  }

  async #readIn(child: ReaderProcess, kind: DocumentKind, bytes: Buffer, reading: Reading): Promise<string> {
    const { readMs } = this.#limits
    const { signal, onBegin } = reading
    const canceled = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    const isReady = await settlesWithin(child.ready, READER_START_MS, this.#clock, canceled)
    if (canceled.aborted) throw new ReadingCanceled()
    if (!isReady) throw new Error(`the process that reads documents did not start within ${READER_START_MS} ms`)
    await onBegin?.()
    const memory = this.#watchMemory(child)
    const reads = child.read(kind, bytes)
    try {
      const isInTime = await settlesWithin(Promise.race([reads, memory.exceeded]), readMs, this.#clock, canceled)
      if (canceled.aborted) throw new ReadingCanceled()
      if (!isInTime) throw new BeyondLimits()
    } finally {
      memory.stop()
      reads.catch(() => {})
    }
    const result = await reads
    if ('fault' in result) throw new Error(`a document could not be read: ${result.fault}`)
    if ('unreadable' in result) throw new Unreadable(result.unreadable)
    return result.text
  }

  #watchMemory({ pid }: ReaderProcess): { readonly exceeded: Promise<never>; stop(): void } {
    const { promise: exceeded, reject } = Promise.withResolvers<never>()
    const timer = this.#clock.every(MEMORY_CHECK_MS, async () => {
      const bytes = pid === undefined ? null : await residentBytesOf(pid)
      if ((bytes ?? 0) > this.#limits.residentBytesMax) reject(new BeyondLimits())
    })
    return { exceeded, stop: () => timer.cancel() }
  }

  #start(): ReaderProcess {
    const { heapMbMax, readMs } = this.#limits
    const cpuSecondsMax = Math.ceil(readMs / 1_000) + READER_SPARE_CPU_SECONDS
    return new ReaderProcess({ heapMbMax, cpuSecondsMax, dataKbMax: DOCUMENT_DATA_KB_MAX }, this.#program)
  }

  #takeWarm(): ReaderProcess | undefined {
    this.#warm = this.#warm.filter(({ hasExited }) => !hasExited)
    return this.#warm.shift()
  }

  #keepWarm(): void {
    if (this.#closing.signal.aborted) return
    try {
      this.#warm.push(this.#start())
    } catch {
      // The next document starts its own process, and reports the fault.
    }
    this.#idle?.cancel()
    this.#idle = this.#clock.every(this.#limits.idleMs, () => void this.#endWarm())
  }

  async #endWarm(): Promise<void> {
    this.#idle?.cancel()
    const ending = this.#warm
    this.#warm = []
    await Promise.all(ending.map((child) => child.end()))
  }
}
