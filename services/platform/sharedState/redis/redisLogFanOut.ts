import type { Redis } from 'ioredis'
import { z } from 'zod'
import { inTime } from '../inTime.ts'
import { type LogEntry, logEntry } from '../logEntry.ts'
import { LogReaders } from '../logReaders.ts'
import type { LogFanOut, LogSubscription } from '../port.ts'
import { KEY_PREFIX } from './connection.ts'

/** Entries that wait to leave for readers in other processes. */
const LOG_ENTRIES_LEAVING_MAX = 1_000
const LOG_ENTRIES_PER_MESSAGE_MAX = 200
const LOG_GATHER_MS = 20
/** Processes whose numbering a reader remembers, to tell what was lost on the way. */
const LOG_SOURCES_MAX = 1_000

const message = z.object({
  from: z.string(),
  /** Each with its number among all entries of its process, so that a gap tells of what was lost on the way. */
  entries: z.array(z.tuple([z.number(), logEntry])),
})

type Message = z.infer<typeof message>

/** An entry with its number, ready to leave. */
type Leaving = string

/**
 * Readers of this process are served directly, those of others by publish and subscribe, which keeps nothing: entries
 * that meet no connection are lost, and the next one that arrives tells how many. A process learns with its next beat
 * whether others read, and until then sends nothing.
 */
export class RedisLogFanOut implements LogFanOut {
  readonly #client: Redis
  readonly #processId: string
  readonly #channel: string
  readonly #readers = new LogReaders()
  readonly #leaving: Leaving[] = []
  readonly #lastFrom = new Map<string, number>()
  #subscriber: Redis | null = null
  #readersElsewhere = 0
  #lastNumber = 0
  #sending: Promise<void> | null = null

  constructor(client: Redis, processId: string) {
    this.#client = client
    this.#processId = processId
    // Channels, unlike keys, are shared by all databases of a server.
    this.#channel = `${KEY_PREFIX}:log:${client.options.db ?? 0}`
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0 || this.#readersElsewhere > 0
  }

  publish(entry: LogEntry): void {
    this.#readers.deliver(entry)
    if (this.#readersElsewhere === 0) return
    const number = ++this.#lastNumber
    if (this.#leaving.length >= LOG_ENTRIES_LEAVING_MAX) return
    const leaving = leavingOf(number, entry)
    if (leaving === null) return
    this.#leaving.push(leaving)
    this.#sending ??= this.#send()
  }

  subscribe(): LogSubscription {
    const subscription = this.#readers.open(() => {
      if (this.#readers.size === 0) this.#unsubscribe()
    })
    this.#subscriber ??= this.#connectSubscriber()
    return subscription
  }

  /** Asks who reads, this process not counted. */
  async countReaders(): Promise<void> {
    const [, count] = (await inTime(this.#client.pubsub('NUMSUB', this.#channel))) as [string, number]
    const own = this.#subscriber?.mode === 'subscriber' ? 1 : 0
    this.#readersElsewhere = Math.max(0, Number(count) - own)
  }

  close(): void {
    this.#readers.close()
    this.#leaving.length = 0
    this.#readersElsewhere = 0
  }

  /** One journey at a time, with all that has gathered meanwhile. What does not arrive is not sent again. */
  async #send(): Promise<void> {
    while (this.#leaving.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOG_GATHER_MS))
      const entries = this.#leaving.splice(0, LOG_ENTRIES_PER_MESSAGE_MAX).join()
      const text = `{"from":${JSON.stringify(this.#processId)},"entries":[${entries}]}`
      await inTime(this.#client.publish(this.#channel, text)).catch(() => {})
    }
    this.#sending = null
  }

  #connectSubscriber(): Redis {
    // A connection that subscribes can do nothing else.
    const subscriber = this.#client.duplicate({ enableAutoPipelining: false, autoResubscribe: false })
    subscriber.on('error', () => {})
    subscriber.on('ready', () => void subscriber.subscribe(this.#channel).catch(() => subscriber.disconnect(true)))
    subscriber.on('message', (_channel, text) => this.#receive(text))
    subscriber.connect().catch(() => {})
    return subscriber
  }

  #unsubscribe(): void {
    this.#subscriber?.disconnect()
    this.#subscriber = null
    this.#lastFrom.clear()
  }

  #receive(text: string): void {
    const parsed = parse(text)
    if (!parsed || parsed.from === this.#processId) return
    const { from, entries } = parsed
    for (const [number, entry] of entries) {
      const last = this.#lastFrom.get(from)
      this.#readers.deliver(entry, last === undefined ? 0 : Math.max(0, number - last - 1))
      this.#remember(from, number)
    }
  }

  #remember(from: string, number: number): void {
    if (this.#lastFrom.size >= LOG_SOURCES_MAX && !this.#lastFrom.has(from)) {
      this.#lastFrom.delete(this.#lastFrom.keys().next().value ?? '')
    }
    this.#lastFrom.set(from, number)
  }
}

/** null for an entry that has no text, such as one that contains itself. */
function leavingOf(number: number, entry: LogEntry): Leaving | null {
  try {
    return JSON.stringify([number, entry])
  } catch {
    return null
  }
}

/** null for what another program may have sent. */
function parse(text: string): Message | null {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return null
  }
}
