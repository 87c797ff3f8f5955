import type { PGlite } from '@electric-sql/pglite'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { DatabaseConnection } from './databaseConnection.ts'
import {
  greeting,
  type Message,
  message,
  notificationOf,
  preparedText,
  query,
  queryText,
  readyForQuery,
  renameStatement,
  splitMessages,
  statementName,
} from './messages.ts'
import { ask } from './session.ts'

const TRANSACTION_MS_MAX = 5_000
const ASKED_KEPT = 3
const PARSE_COMPLETE: Message = { type: '1', bytes: message('1') }

export type DatabaseFate = 'answer' | 'die before' | 'die after'

/** Messages in a transaction take less, so a process that is silent for longer waits for something else. */
const SILENT_MS = 20

export type DatabaseServerOptions = {
  readonly pglite: PGlite
  readonly scheduler: Scheduler
  /** How long a message is on its way, drawn from the seed. */
  readonly delayMs: (owner: SimulatedProcess | null) => number
  /** What happens to the connection at this request, by the text that is asked or prepared. */
  readonly fateOf?: (connection: DatabaseConnection, text: string, prepared: string) => DatabaseFate
  /** Called with every answer, also with one that is lost. */
  readonly onAnswer?: (answer: Buffer, isLost: boolean, owner: SimulatedProcess | null) => void
}

/**
 * One session of a database that serves many connections. A connection has the session to itself from BEGIN until the
 * server is idle again; prepared statements, settings and LISTEN are kept per connection.
 */
export class DatabaseServer {
  readonly #options: DatabaseServerOptions
  readonly #connections = new Set<DatabaseConnection>()
  readonly #waiting: { readonly connection: DatabaseConnection; readonly request: readonly Message[] }[] = []
  #reservedBy: DatabaseConnection | null = null
  /** When the connection that has the session was answered last. */
  #answeredAtMs = 0
  #reservedMs = 0
  #settings = ''
  #connectionNumber = 0
  /** The names of prepared statements by their text: connections that prepare the same text share it. */
  readonly #prepared = new Map<string, string>()
  #preparedCount = 0
  statements = 0
  databaseMs = 0

  constructor(options: DatabaseServerOptions) {
    this.#options = options
  }

  /** The stream that a driver gets. The connection dies with the process that opens it. */
  connect(owner: SimulatedProcess | null): DatabaseConnection {
    const { scheduler, delayMs } = this.#options
    this.#connectionNumber += 1
    const connection = new DatabaseConnection({
      number: this.#connectionNumber,
      owner,
      scheduler,
      // One session serves all: a slow message in a transaction would stop every other connection, which no server does.
      delayMs: () => (this.#reservedBy === connection ? scheduler.random.fraction() : delayMs(owner)),
      onRequest: (request) => this.#arrived(connection, request),
      onEnd: () => this.#ended(connection),
    })
    this.#connections.add(connection)
    owner?.onKill(() => this.#ended(connection))
    return connection
  }

  /** No transaction is open, so that checkers may read. */
  get isFree(): boolean {
    return this.#reservedBy === null
  }

  /** A process in a transaction must not be paused: all others would wait for it. */
  isReservedBy(owner: SimulatedProcess): boolean {
    return this.#reservedBy?.owner === owner
  }

  /**
   * Transactions last for milliseconds, because messages within them are fast. One that lasts for seconds waits for
   * another connection, which a server with many sessions would serve.
   */
  stuck(): string | null {
    const lastedMs = this.#options.scheduler.elapsedMs - this.#reservedMs
    return this.#reservedBy && lastedMs > TRANSACTION_MS_MAX ? this.describe() : null
  }

  /** The connection that holds the session, its last statements, and the waiting requests. */
  describe(): string {
    const holder = this.#reservedBy
    const waiting = this.#waiting.map(({ connection, request }) => `${connection.number} ${textOf(request)}`)
    return holder
      ? `connection ${holder.number} of ${holder.owner?.name}: ${holder.asked.map(textOf).join(' ; ')}; waiting: ${waiting.join(' | ')}`
      : 'free'
  }

  #arrived(connection: DatabaseConnection, request: readonly Message[]): void {
    if (!this.#connections.has(connection)) return
    for (const each of request) noteReading(connection, each)
    this.#waiting.push({ connection, request })
    this.#serve()
    if (this.#reservedBy !== null && this.#reservedBy.owner === connection.owner) this.#serveLater()
  }

  /** A process may wait in its transaction for what it reads over another connection. */
  #serveLater(): void {
    const step = { owner: null, label: 'reads beside a transaction', delayMs: SILENT_MS }
    this.#options.scheduler.schedule(step, () => this.#serve())
  }

  /** A reader of the process that has the session and does nothing with it: on a server it would have a session of its own. */
  #mayReadBeside(connection: DatabaseConnection, request: readonly Message[]): boolean {
    const isSilent = this.#options.scheduler.nowMs - this.#answeredAtMs >= SILENT_MS
    return isSilent && this.#reservedBy?.owner === connection.owner && isReading(connection, request)
  }

  #serve(): void {
    for (;;) {
      const able = this.#waiting.filter(
        ({ connection, request }) =>
          this.#reservedBy === null || this.#reservedBy === connection || this.#mayReadBeside(connection, request),
      )
      if (able.length === 0) return
      // Requests of one connection stay in order; which connection is next is up to the seed.
      const { connection } = this.#options.scheduler.random.pick(able)
      const at = this.#waiting.findIndex((each) => each.connection === connection)
      const [next] = this.#waiting.splice(at, 1)
      if (next) this.#execute(connection, next.request)
    }
  }

  #execute(connection: DatabaseConnection, request: readonly Message[]): void {
    const [first] = request
    if (first === undefined) return
    if (first.type === 'startup') {
      connection.answer(greeting(connection.number))
      return
    }
    const text = first.type === 'Q' ? queryText(first) : ''
    const prepared = first.type === 'P' ? preparedText(first) : ''
    const fate = this.#options.fateOf?.(connection, text, prepared) ?? 'answer'
    if (fate === 'die before') {
      connection.die()
      return
    }
    connection.asked.push(request)
    if (connection.asked.length > ASKED_KEPT) connection.asked.shift()
    const answer = this.#answerTo(connection, request, text)
    this.#options.onAnswer?.(answer, fate === 'die after', connection.owner)
    if (fate === 'die after') connection.die()
    else connection.answer(answer, !showsServerCounters(connection, request))
  }

  #answerTo(connection: DatabaseConnection, request: readonly Message[], text: string): Buffer {
    if (/^unlisten /i.test(text)) {
      connection.channels.delete(text.slice('unlisten '.length).trim())
      return Buffer.concat([message('C', 'UNLISTEN'), readyForQuery('I')])
    }
    if (/^listen /i.test(text)) connection.channels.add(text.slice('listen '.length).trim())
    if (/^set (?!local )/i.test(text) && this.#reservedBy === null) {
      connection.settings += `${text};`
      this.#settings += `${text};`
    } else if (this.#reservedBy === null && this.#settings !== connection.settings) {
      this.#raw(query(`reset all; ${connection.settings}`))
      this.#settings = connection.settings
    }
    const holder = this.#reservedBy
    if (holder !== null && holder !== connection) return this.#readBeside(connection, request)
    this.#answeredAtMs = this.#options.scheduler.nowMs
    const answers = this.#exchange(connection, request)
    const last = answers.at(-1)
    const status = last?.type === 'Z' ? String.fromCharCode(last.bytes[5] as number) : 'I'
    if (this.#reservedBy === null) this.#reservedMs = this.#options.scheduler.elapsedMs
    this.#reservedBy = status === 'I' ? null : connection
    return Buffer.concat(this.#withoutNotifications(answers, text).map(({ bytes }) => bytes))
  }

  /** In the transaction of another connection of the same process, which notices nothing of it. */
  #readBeside(connection: DatabaseConnection, request: readonly Message[]): Buffer {
    this.#raw(query('savepoint beside'))
    const answers = this.#exchange(connection, request)
    this.#raw(query('rollback to savepoint beside; release savepoint beside'))
    return Buffer.concat(answers.map(({ type, bytes }) => (type === 'Z' ? readyForQuery('I') : bytes)))
  }

  /**
   * Planning is most of the work of this database, so a text is prepared once for all connections, also if the driver
   * gives it no name. If the server knows it already, the message that prepares it is answered here.
   */
  #exchange(connection: DatabaseConnection, request: readonly Message[]): Message[] {
    const [first] = request
    if (first?.type !== 'P') return splitMessages(this.#raw(Buffer.concat(this.#renamed(connection, request))))
    const text = preparedText(first)
    const known = this.#prepared.get(text)
    if (known !== undefined) {
      connection.statements.set(statementName(first), known)
      const rest = this.#renamed(connection, request.slice(1))
      return [PARSE_COMPLETE, ...splitMessages(this.#raw(Buffer.concat(rest)))]
    }
    this.#preparedCount += 1
    const own = `s${this.#preparedCount}`
    connection.statements.set(statementName(first), own)
    const answers = splitMessages(this.#raw(Buffer.concat(this.#renamed(connection, request))))
    if (answers[0]?.type === PARSE_COMPLETE.type) this.#prepared.set(text, own)
    return answers
  }

  #renamed({ statements }: DatabaseConnection, request: readonly Message[]): Buffer[] {
    return request.map((each) => renameStatement(each, (name) => statements.get(name) ?? name))
  }

  #withoutNotifications(answers: readonly Message[], text: string): Message[] {
    const isCopy = /^copy .* from stdin/is.test(text)
    return answers.filter((answer) => {
      if (answer.type === 'A') {
        const { channel, bytes } = notificationOf(answer)
        for (const each of this.#connections) if (each.channels.has(channel)) each.answer(bytes)
        return false
      }
      // The connection has asked for the rows itself.
      return !(isCopy && answer.type === 'G')
    })
  }

  /** The transaction of a connection that is gone is rolled back. */
  #ended(connection: DatabaseConnection): void {
    if (!this.#connections.delete(connection)) return
    for (let at = this.#waiting.length - 1; at >= 0; at -= 1) {
      if (this.#waiting[at]?.connection === connection) this.#waiting.splice(at, 1)
    }
    if (this.#reservedBy === connection) {
      this.#raw(query('rollback'))
      this.#reservedBy = null
    }
    this.#serve()
  }

  #raw(bytes: Uint8Array): Buffer {
    this.statements += 1
    return ask(this.#options.pglite, bytes)
  }
}

/** Transaction ids and positions of the server's log go on when a database is reused, so they are no part of the hash. */
const GOES_ON = /xmin|pg_logical_emit_message/

function showsServerCounters({ withServerCounters }: DatabaseConnection, request: readonly Message[]): boolean {
  return request.some((each) => {
    if (each.type === 'B') return withServerCounters.has(statementName(each))
    if (each.type !== 'P' && each.type !== 'Q') return false
    const shows = GOES_ON.test(each.bytes.toString('latin1'))
    if (each.type === 'P' && shows) withServerCounters.add(statementName(each))
    else if (each.type === 'P') withServerCounters.delete(statementName(each))
    return shows
  })
}

const READS = /^\s*select\b(?!.*\bfor (no key )?update\b)/is

function noteReading({ reading }: DatabaseConnection, each: Message): void {
  if (each.type !== 'P') return
  if (READS.test(preparedText(each))) reading.add(statementName(each))
  else reading.delete(statementName(each))
}

function isReading({ reading }: DatabaseConnection, request: readonly Message[]): boolean {
  return request.every((each) => {
    if (each.type === 'Q') return READS.test(queryText(each))
    return each.type === 'P' || each.type === 'B' ? reading.has(statementName(each)) : each.type !== 'startup'
  })
}

function textOf(request: readonly Message[]): string {
  return request
    .filter(({ type }) => type === 'Q' || type === 'P' || type === 'B')
    .map(({ type, bytes }) => `${type} ${bytes.toString('latin1', 5, 90).replace(/[^ -~]+/g, ' ')}`)
    .join(' ')
}
