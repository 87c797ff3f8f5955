import { Duplex } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { Lane } from '../scheduler/lane.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { type Message, MessageReader, message, queryText } from './messages.ts'

export type DatabaseConnectionOptions = {
  readonly number: number
  readonly owner: SimulatedProcess | null
  readonly scheduler: Scheduler
  readonly delayMs: () => number
  /** Called with the messages up to the one that the server answers. */
  readonly onRequest: (request: readonly Message[]) => void
  readonly onEnd: () => void
}

/** The client's end of a connection. Bytes in both directions are steps of the scheduler. */
export class DatabaseConnection extends Duplex {
  readonly number: number
  readonly owner: SimulatedProcess | null
  readonly statements = new Map<string, string>()
  /** The prepared statements that return transaction ids or positions of the log of the server. */
  readonly withServerCounters = new Set<string>()
  /** The prepared statements that only read. */
  readonly reading = new Set<string>()
  readonly channels = new Set<string>()
  settings = ''
  /** The last requests, the newest at the end. */
  readonly asked: (readonly Message[])[] = []
  readonly #options: DatabaseConnectionOptions
  readonly #reader = new MessageReader(true)
  readonly #up: Lane = { lastMs: 0 }
  readonly #down: Lane = { lastMs: 0 }
  #request: Message[] = []
  #isCopying = false

  constructor(options: DatabaseConnectionOptions) {
    super({ allowHalfOpen: false })
    this.#options = options
    this.number = options.number
    this.owner = options.owner
  }

  connect(): this {
    this.#later('connects', this.#down, () => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  /** The server's answer, or a notification. */
  answer(bytes: Uint8Array, isHashed = true): void {
    const what = isHashed ? `gets ${bytes.length} ${crc32(bytes).toString(16)}` : 'gets counters of the server'
    this.#later(what, this.#down, () => void this.push(bytes))
  }

  /** Breaks, as if the network or the server had closed it. */
  die(): void {
    this.#options.onEnd()
    const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    this.#later('is reset', this.#down, () => void this.destroy(error))
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    for (const each of this.#reader.read(chunk)) this.#take(each)
    done()
  }

  override _final(done: (error?: Error | null) => void): void {
    done()
    this.#later('ends', this.#up, () => {
      this.#options.onEnd()
      this.push(null)
    })
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#later('is gone', this.#up, () => this.#options.onEnd())
    done(error)
  }

  #take(each: Message): void {
    if (each.type === 'X') return
    this.#request.push(each)
    if (each.type === 'Q' && /^copy .* from stdin/is.test(queryText(each))) {
      this.#isCopying = true
      // Text format, no columns: the driver looks at neither.
      this.#later('may copy', this.#down, () => void this.push(message('G', Buffer.from([0, 0, 0]))))
      return
    }
    const isWhole = this.#isCopying
      ? each.type === 'c' || each.type === 'f'
      : each.type === 'Q' || each.type === 'S' || each.type === 'startup'
    if (!isWhole) return
    this.#isCopying = false
    const request = this.#request
    this.#request = []
    this.#later('asks', this.#up, () => this.#options.onRequest(request))
  }

  #later(what: string, lane: Lane, run: () => void): void {
    const { scheduler, owner, delayMs } = this.#options
    // What has left a process arrives even if that process is killed meanwhile.
    const stepOwner = lane === this.#down ? owner : null
    scheduler.schedule({ owner: stepOwner, label: `connection ${this.number} ${what}`, delayMs: delayMs(), lane }, run)
  }
}
