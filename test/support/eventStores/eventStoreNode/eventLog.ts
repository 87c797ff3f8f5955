import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

export type LoggedEvent = {
  /** A byte position in the log, as the server's are: they grow, but not one by one. */
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly isJson: boolean
  readonly data: Buffer
  readonly metadata: Buffer
  readonly createdMs: number
}

export type ProposedEvent = Pick<LoggedEvent, 'id' | 'type' | 'isJson' | 'data' | 'metadata'>

type Line = {
  readonly stream: string
  readonly first: number
  readonly at: number
  readonly events: readonly { id: string; type: string; json: boolean; data: string; meta: string }[]
}

/** A log never starts with an event: the server writes an epoch record first (Services/Storage/EpochManager/EpochManager.cs). */
const HEADER = '{"log":"event store node"}\n'

/**
 * All events in their order. One line is one append, so that a process that dies in the middle of a write leaves all of
 * an append or none; with a file, everything is there again after a restart.
 */
export class EventLog {
  readonly all: LoggedEvent[] = []
  readonly #streams = new Map<string, LoggedEvent[]>()
  readonly #file: number | null
  readonly #watchers = new Set<() => void>()
  #end = 0

  constructor(path: string | null) {
    const text = path !== null && existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
    this.#file = path === null ? null : openSync(path, 'a')
    const whole = text.lastIndexOf('\n') + 1
    if (this.#file !== null && whole < text.length) ftruncateSync(this.#file, whole)
    for (let start = 0; start < whole; ) {
      const end = text.indexOf('\n', start) + 1
      const line = JSON.parse(text.toString('utf8', start, end)) as Line
      if ('stream' in line) this.#keep(line, start)
      start = end
    }
    this.#end = whole
    if (whole === 0) this.#write(HEADER)
  }

  stream(name: string): readonly LoggedEvent[] {
    return this.#streams.get(name) ?? []
  }

  lastRevision(stream: string): number {
    return this.stream(stream).length - 1
  }

  /** The index of the first event at or after a position. */
  indexFrom(position: number): number {
    let low = 0
    let high = this.all.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.all[middle]?.position ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low
  }

  append(stream: string, events: readonly ProposedEvent[]): void {
    const line: Line = {
      stream,
      first: this.lastRevision(stream) + 1,
      at: Date.now(),
      events: events.map(({ id, type, isJson, data, metadata }) => ({
        id,
        type,
        json: isJson,
        data: data.toString('base64'),
        meta: metadata.toString('base64'),
      })),
    }
    const start = this.#end
    this.#write(`${JSON.stringify(line)}\n`)
    this.#keep(line, start)
    for (const wake of [...this.#watchers]) wake()
  }

  /** Resolves after the next append, or when the signal aborts. */
  async grown(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#watchers.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#watchers.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    if (this.#file !== null) writeSync(this.#file, bytes)
    this.#end += bytes.length
  }

  #keep({ stream, first, at, events }: Line, start: number): void {
    const stored = this.#streams.get(stream) ?? []
    this.#streams.set(stream, stored)
    events.forEach(({ id, type, json, data, meta }, index) => {
      const event = {
        position: start + index,
        stream,
        revision: first + index,
        id,
        type,
        isJson: json,
        data: ownBytes(data),
        metadata: ownBytes(meta),
        createdMs: at,
      }
      stored.push(event)
      this.all.push(event)
    })
  }
}

/** Small buffers are parts of a larger one, which would stay in memory as long as the event that has a part of it. */
function ownBytes(base64: string): Buffer {
  const part = Buffer.from(base64, 'base64')
  const own = Buffer.allocUnsafeSlow(part.length)
  part.copy(own)
  return own
}
