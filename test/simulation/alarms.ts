import { EXPECTED_ALARMS } from './expectedAlarms.ts'
import type { FaultKind, FaultPlan } from './faults/faultPlan.ts'

const ERROR_LEVEL = 50
/** Longer than the database is silent, with the retries after it. */
const CAUSED_WITHIN_MS = 60_000

/** A line of a log. Other fields depend on the message. */
export type LogLine = {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly message?: string; readonly type?: string }
  readonly [field: string]: unknown
}

/** An error line that may be written, and the faults of which at least one must have happened shortly before it. */
export type ExpectedAlarm = { readonly message: RegExp; readonly causes: readonly FaultKind[] }

type Listener = (line: LogLine, process: string) => void

/** Reads what processes log, and keeps the lines that tell an operator to do something. */
export class Alarms {
  readonly #faults: FaultPlan
  readonly #expected: ExpectedAlarm[] = [...EXPECTED_ALARMS]
  readonly #listeners: Listener[] = []
  readonly unexpected: string[] = []

  constructor(faults: FaultPlan) {
    this.#faults = faults
  }

  expect(...alarms: readonly ExpectedAlarm[]): void {
    this.#expected.push(...alarms)
  }

  /** Calls the listener with every line, whatever its level. */
  follow(listener: Listener): void {
    this.#listeners.push(listener)
  }

  line(process: string, text: string): void {
    const line = JSON.parse(text) as LogLine
    for (const listener of this.#listeners) listener(line, process)
    if (line.level < ERROR_LEVEL) return
    const isExpected = this.#expected.some(
      ({ message, causes }) => message.test(line.msg) && this.#faults.happenedWithin(CAUSED_WITHIN_MS, causes),
    )
    if (!isExpected) this.unexpected.push(`${process}: ${text.trim().slice(0, 600)}`)
  }
}
