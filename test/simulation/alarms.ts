import { EXPECTED_ALARMS } from './expectedAlarms.ts'
import type { FaultPlan } from './faults/faultPlan.ts'

const ERROR_LEVEL = 50
/** Longer than the database is silent, with the retries after it. */
const CAUSED_WITHIN_MS = 60_000
const EVER_MS = Number.MAX_SAFE_INTEGER

/** A line of a log. Other fields depend on the message. */
export type LogLine = {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly message?: string; readonly type?: string }
  readonly [field: string]: unknown
}

type Listener = (line: LogLine, process: string) => void

/** Reads what processes log, and keeps the lines that tell an operator to do something. */
export class Alarms {
  readonly #faults: FaultPlan
  readonly #listeners: Listener[] = []
  readonly unexpected: string[] = []

  constructor(faults: FaultPlan) {
    this.#faults = faults
  }

  /** Calls the listener with every line, whatever its level. */
  follow(listener: Listener): void {
    this.#listeners.push(listener)
  }

  line(process: string, text: string): void {
    const line = JSON.parse(text) as LogLine
    for (const listener of this.#listeners) listener(line, process)
    if (line.level < ERROR_LEVEL) return
    const isExpected = EXPECTED_ALARMS.some(({ message, causes, isLasting }) => {
      const withinMs = isLasting ? EVER_MS : CAUSED_WITHIN_MS
      return message.test(line.msg) && this.#faults.happenedWithin(withinMs, causes)
    })
    if (!isExpected) this.unexpected.push(`${process}: ${text.trim().slice(0, 600)}`)
  }
}
