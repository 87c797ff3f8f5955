import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { type LogEntry, logEntry } from '../logEntry.ts'
import { LogReaders } from '../logReaders.ts'
import type { LogFanOut, LogSubscription } from '../port.ts'
import { KEY_PREFIX, SHARED_STATE_ANSWER_MS } from './connection.ts'

/** Entries that may wait to be sent to readers in other processes. */
const LOG_ENTRIES_UNSENT_MAX = 1_000
const LOG_ENTRIES_PER_MESSAGE_MAX = 200
const LOG_GATHER_MS = 20
/** Processes whose last entry number is remembered, to detect lost entries. */
const LOG_SOURCES_MAX = 1_000

const message = z.object({
  from: z.string(),
  /** Each with its number among all entries of its process, so that a gap shows how many were lost. */
  entries: z.array(z.tuple([z.number(), logEntry])),
})

type Message = z.infer<typeof message>

/** An entry with its number as JSON. */
type EncodedEntry = string

/**
 * Serves readers of this process directly, and those of others through Redis publish and subscribe, which stores
 * nothing: entries are lost while a reader is disconnected, and the next one shows how many. A process learns with its
 * next heartbeat whether other processes have readers, and sends nothing until then.
 */
export class RedisLogFanOut implements LogFanOut {
  readonly #client: Redis
  readonly #clock: Clock
  readonly #processId: string
  readonly #channel: string
  readonly #readers = new LogReaders()
  readonly #unsent: EncodedEntry[] = []
  readonly #lastFrom = new Map<string, number>()
  #subscriber: Redis | null = null
  #readersElsewhere = 0
  #lastNumber = 0
  #sending: Promise<void> | null = null

  constructor(client: Redis, clock: Clock, processId: string) {
    this.#client = client
    this.#clock = clock
    this.#processId = processId
    // Unlike keys, channels are shared by all databases of a server.
    this.#channel = `${KEY_PREFIX}:log:${client.options.db ?? 0}`
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0 || this.#readersElsewhere > 0
  }

  publish(entry: LogEntry): void {
    this.#readers.deliver(entry)
    if (this.#readersElsewhere === 0) return
    const number = ++this.#lastNumber
    if (this.#unsent.length >= LOG_ENTRIES_UNSENT_MAX) return
    const encoded = encode(number, entry)
    if (encoded === null) return
    this.#unsent.push(encoded)
    this.#sending ??= this.#send()
  }

  subscribe(): LogSubscription {
    const subscription = this.#readers.open(() => {
      if (this.#readers.size === 0) this.#unsubscribe()
    })
    this.#subscriber ??= this.#connectSubscriber()
    return subscription
  }

  /** Counts the other processes with readers. */
  async countReaders(): Promise<void> {
    const [, count] = (await this.#inTime(this.#client.pubsub('NUMSUB', this.#channel))) as [string, number]
    const own = this.#subscriber?.mode === 'subscriber' ? 1 : 0
    this.#readersElsewhere = Math.max(0, Number(count) - own)
  }

  close(): void {
    this.#readers.close()
    this.#unsent.length = 0
    this.#readersElsewhere = 0
  }

  #inTime<Result>(command: Promise<Result>): Promise<Result> {
    return within(command, SHARED_STATE_ANSWER_MS, this.#clock)
  }

  /** Sends one message at a time with all entries since the last. A lost message is not repeated. */
  async #send(): Promise<void> {
    while (this.#unsent.length > 0) {
      await this.#clock.delay(LOG_GATHER_MS)
      const entries = this.#unsent.splice(0, LOG_ENTRIES_PER_MESSAGE_MAX).join()
      const text = `{"from":${JSON.stringify(this.#processId)},"entries":[${entries}]}`
      await this.#inTime(this.#client.publish(this.#channel, text)).catch(() => {})
    }
    this.#sending = null
  }

  #connectSubscriber(): Redis {
    // A subscribed connection accepts no other commands.
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

/** null if the entry cannot be serialized, for example because it contains itself. */
function encode(number: number, entry: LogEntry): EncodedEntry | null {
  try {
    return JSON.stringify([number, entry])
  } catch {
    return null
  }
}

/** null if the text is not one of our messages: other programs may use the channel. */
function parse(text: string): Message | null {
  try {
    return message.parse(JSON.parse(text))
  } catch {
    return null
  }
}
