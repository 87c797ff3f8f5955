import { Duplex } from 'node:stream'
import type { Lane } from '../scheduler/lane.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'

export type Wire = {
  readonly scheduler: Scheduler
  readonly delayMs: () => number
  /** How many bytes of a write arrive together, so that a cut may fall anywhere. */
  readonly pieceBytes: (bytes: number) => number
  /** Whether the connection breaks before the next piece arrives. */
  readonly breaks: () => boolean
  /** Those that nothing has closed yet. */
  readonly open: Set<MemorySocket>
}

/** One end of a connection in memory, with what HTTP servers and clients use of a socket. */
export class MemorySocket extends Duplex {
  readonly name: string
  readonly owner: SimulatedProcess | null
  remoteAddress = '192.0.2.1'
  remotePort = 1
  bytesRead = 0
  bytesWritten = 0
  #peer: MemorySocket | null = null
  readonly #wire: Wire
  readonly #lane: Lane = { lastMs: 0 }
  #timer: ReturnType<typeof setTimeout> | null = null
  #timeoutMs = 0

  constructor(name: string, owner: SimulatedProcess | null, wire: Wire) {
    super({ allowHalfOpen: true })
    this.name = name
    this.owner = owner
    this.#wire = wire
    wire.open.add(this)
    owner?.onKill(() => this.#later('is reset', () => this.#peer?.reset()))
  }

  static pair(wire: Wire, [from, to]: readonly [SimulatedProcess | null, SimulatedProcess | null], name: string) {
    const client = new MemorySocket(`${name} client`, from, wire)
    const server = new MemorySocket(`${name} server`, to, wire)
    client.#peer = server
    server.#peer = client
    return { client, server }
  }

  /** The process at the other end. */
  get peerName(): string {
    return this.#peer?.owner?.name ?? ''
  }

  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this

  setTimeout(ms: number, callback?: () => void): this {
    // As Node's own sockets do: without a time, the callback is removed.
    if (callback && ms === 0) this.removeListener('timeout', callback)
    else if (callback) this.once('timeout', callback)
    this.#timeoutMs = ms
    this.#restart()
    return this
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  reset(): void {
    this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length
    this.#restart()
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + Math.max(1, this.#wire.pieceBytes(chunk.length - at)))
      at += piece.length
      if (this.#wire.breaks()) {
        this.#later('breaks', () => this.#peer?.reset())
        this.reset()
        return
      }
      this.#later(`sends ${piece.length}`, () => this.#peer?.receive(piece))
    }
    done()
  }

  /** What was written together arrives together, unless it is cut. */
  override _writev(writes: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(writes.map(({ chunk }) => chunk)), '', done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#later('ends', () => void this.#peer?.push(null))
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#wire.open.delete(this)
    if (this.#timer) clearTimeout(this.#timer)
    const isClean = error === null && this.writableFinished
    this.#later(isClean ? 'closes' : 'breaks', () => {
      if (!isClean) this.#peer?.reset()
    })
    done(error)
  }

  receive(bytes: Buffer): void {
    if (this.destroyed) return
    this.bytesRead += bytes.length
    this.#restart()
    this.push(bytes)
  }

  #restart(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = this.#timeoutMs > 0 ? setTimeout(() => this.emit('timeout'), this.#timeoutMs) : null
  }

  /** The far end runs in the context of its own process. */
  #later(what: string, run: () => void): void {
    const { scheduler, delayMs } = this.#wire
    const to = this.#peer?.owner ?? null
    const inContext = () => (to ? scheduler.processes.run(to, run) : scheduler.processes.exit(run))
    scheduler.schedule({ owner: to, label: `${this.name} ${what}`, delayMs: delayMs(), lane: this.#lane }, inContext)
  }
}
