import { DOCUMENT_BYTES_MAX } from '../../contracts/limits.ts'
import type { Clock, Timer } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { type TurnLimits, Turns } from '../../platform/threads/turns.ts'
import { CompanyCpu, type CpuLimits } from './companyCpu.ts'
import type { DocumentKind } from './documentKind.ts'
import { readPlainText } from './plainText.ts'
import { cpuMsOf, residentBytesOf } from './processUsage.ts'
import { ReaderProcess } from './readerProcess.ts'
import { BeyondLimits, ReadersBusy, ReadingCanceled, Unreadable } from './unreadable.ts'

/** The limits of the process that reads one document: time, heap, and resident memory including heap and buffers. */
const DOCUMENT_CPU_MS = 10_000
/** Longer than the CPU time, because readers have a low priority and wait on a busy machine. */
const DOCUMENT_READ_MS = 30_000
const DOCUMENT_HEAP_MB_MAX = 256
const DOCUMENT_RESIDENT_BYTES_MAX = 512 * 1024 * 1024
/** Enforced by the operating system, in case memory grows faster than we check. */
const DOCUMENT_DATA_KB_MAX = 1_536 * 1024
const DOCUMENT_READERS_MAX = 3
const DOCUMENT_READERS_PER_COMPANY_MAX = 2
const DOCUMENTS_WAITING_MAX = 32
const DOCUMENTS_WAITING_PER_COMPANY_MAX = 16
/** The CPU time for all documents of a company: per burst, and as a fraction of one core. */
const DOCUMENT_CPU_BURST_MS = 60_000
const DOCUMENT_CPU_SHARE = 0.5
/**
 * An unreadable or abandoned document is not paid for: its CPU time counts this many times, and at least this much. One
 * that takes too long counts as if it had used all the CPU time of a document, however little a busy machine gave it.
 */
const UNPAID_CPU_FACTOR = 5
const UNPAID_CPU_MS_MIN = 500
/** How long a process may take to start on a busy machine. */
const READER_START_MS = 20_000
/** CPU seconds beyond the time for a document: for the start, and the moment until the process is killed. */
const READER_SPARE_CPU_SECONDS = 10
/** Waiting processes end when no document has come for this long. */
const READER_IDLE_MS = 60_000
/** Without /proc, each check starts a process. */
const CHECK_MS = process.platform === 'linux' ? 50 : 500

export type ReaderLimits = TurnLimits &
  CpuLimits & {
    readonly readMs: number
    readonly cpuMs: number
    readonly heapMbMax: number
    readonly residentBytesMax: number
    readonly idleMs: number
  }

const DEFAULT_LIMITS: ReaderLimits = {
  runningMax: DOCUMENT_READERS_MAX,
  runningPerOwnerMax: DOCUMENT_READERS_PER_COMPANY_MAX,
  waitingMax: DOCUMENTS_WAITING_MAX,
  waitingPerOwnerMax: DOCUMENTS_WAITING_PER_COMPANY_MAX,
  cpuBurstMs: DOCUMENT_CPU_BURST_MS,
  cpuShare: DOCUMENT_CPU_SHARE,
  readMs: DOCUMENT_READ_MS,
  cpuMs: DOCUMENT_CPU_MS,
  heapMbMax: DOCUMENT_HEAP_MB_MAX,
  residentBytesMax: DOCUMENT_RESIDENT_BYTES_MAX,
  idleMs: READER_IDLE_MS,
}

export type Reading = {
  readonly companyId: string
  /** Aborts when the text is no longer needed. */
  readonly signal?: AbortSignal | undefined
  /** Called when it is the document's turn. A PDF or DOCX is read once it has resolved. */
  readonly onBegin?: () => Promise<void>
}

/**
 * Reads each document in its own process, with limits of time and memory, so that a hostile file harms only itself. The
 * first process starts with the first document; each used one is replaced at once by one that waits for the next
 * document.
 */
export class DocumentReader {
  readonly #clock: Clock
  readonly #limits: ReaderLimits
  readonly #program: URL | undefined
  readonly #turns: Turns
  readonly #cpu: CompanyCpu
  readonly #closing = new AbortController()
  readonly #inProgress = new Set<Promise<string>>()
  #warm: ReaderProcess[] = []
  #idle: Timer | null = null

  constructor(clock: Clock, limits: Partial<ReaderLimits> = {}, program?: URL) {
    this.#clock = clock
    this.#limits = { ...DEFAULT_LIMITS, ...limits }
    this.#program = program
    this.#turns = new Turns(this.#limits, {
      busy: (whose) => new ReadersBusy(whose),
      canceled: () => new ReadingCanceled(),
    })
    this.#cpu = new CompanyCpu(clock, this.#limits)
  }

  /** The text of a document. Throws Unreadable with the reason if there is none. */
  async read(kind: DocumentKind, bytes: Buffer, reading: Reading): Promise<string> {
    if (kind === 'txt') return readPlainText(bytes)
    if (bytes.length > DOCUMENT_BYTES_MAX) {
      throw new Unreadable(`The document is larger than ${DOCUMENT_BYTES_MAX} bytes.`)
    }
    this.#checkCpu(reading.companyId)
    const text = this.#inTurn(kind, bytes, reading)
    this.#inProgress.add(text)
    try {
      return await text
    } finally {
      this.#inProgress.delete(text)
    }
  }

  /** Ends all processes, and cancels the running and waiting documents. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#turns.close()
    await Promise.allSettled([...this.#inProgress, this.#endWarm()])
  }

  async #inTurn(kind: DocumentKind, bytes: Buffer, reading: Reading): Promise<string> {
    const endTurn = await this.#turns.enter(reading.companyId, reading.signal)
    let child: ReaderProcess | undefined
    try {
      // Documents that were read meanwhile may have used too much.
      this.#checkCpu(reading.companyId)
      child = this.#takeWarm() ?? this.#start()
      return await this.#readIn(child, kind, bytes, reading)
    } finally {
      await child?.end()
      if (child) this.#keepWarm()
      endTurn()
    }
  }

  async #readIn(child: ReaderProcess, kind: DocumentKind, bytes: Buffer, reading: Reading): Promise<string> {
    const { readMs, cpuMs: cpuMsMax } = this.#limits
    const { companyId, signal, onBegin } = reading
    const canceled = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    const isReady = await settlesWithin(child.ready, READER_START_MS, this.#clock, canceled)
    if (canceled.aborted) throw new ReadingCanceled()
    if (!isReady) throw new Error(`the process that reads documents did not start within ${READER_START_MS} ms`)
    await onBegin?.()
    const watched = this.#watch(child)
    const reads = child.read(kind, bytes)
    let isRead = false
    let cpuMsMin = 0
    try {
      const isInTime = await settlesWithin(Promise.race([reads, watched.exceeded]), readMs, this.#clock, canceled)
      if (canceled.aborted) throw new ReadingCanceled()
      if (!isInTime) {
        cpuMsMin = cpuMsMax
        throw new BeyondLimits()
      }
      const result = await reads
      if ('fault' in result) throw new Error(`a document could not be read: ${result.fault}`)
      if ('unreadable' in result) throw new Unreadable(result.unreadable)
      isRead = true
      return result.text
    } finally {
      reads.catch(() => {})
      const cpuMs = Math.max(watched.stop(), cpuMsMin)
      this.#cpu.spend(companyId, isRead ? cpuMs : Math.max(cpuMs * UNPAID_CPU_FACTOR, UNPAID_CPU_MS_MIN))
    }
  }

  #checkCpu(companyId: string): void {
    const waitMs = this.#cpu.waitMs(companyId)
    if (waitMs > 0) throw new ReadersBusy('own', waitMs)
  }

  /** Watches memory and CPU time of a process; `stop` returns the CPU time used since. */
  #watch({ pid }: ReaderProcess): { readonly exceeded: Promise<never>; stop(): number } {
    const { cpuMs: cpuMsMax, residentBytesMax } = this.#limits
    const { promise: exceeded, reject } = Promise.withResolvers<never>()
    exceeded.catch(() => {})
    const startedAtMs = this.#clock.monotonicMs()
    const cpuBefore = pid === undefined ? null : cpuMsOf(pid)
    let cpuMs = 0
    const measure = () => {
      const now = pid === undefined || cpuBefore === null ? null : cpuMsOf(pid)
      if (now !== null) cpuMs = now - (cpuBefore ?? 0)
      // If the system does not report it, all elapsed time counts.
      else if (cpuBefore === null) cpuMs = this.#clock.monotonicMs() - startedAtMs
    }
    const timer = this.#clock.every(CHECK_MS, async () => {
      measure()
      if (cpuMs > cpuMsMax) reject(new BeyondLimits())
      const bytes = pid === undefined ? null : await residentBytesOf(pid)
      if ((bytes ?? 0) > residentBytesMax) reject(new BeyondLimits())
    })
    return {
      exceeded,
      stop: () => {
        timer.cancel()
        measure()
        return cpuMs
      },
    }
  }

  #start(): ReaderProcess {
    const { heapMbMax, cpuMs } = this.#limits
    const cpuSecondsMax = Math.ceil(cpuMs / 1_000) + READER_SPARE_CPU_SECONDS
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
      // The next document starts its own process and reports the fault.
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
