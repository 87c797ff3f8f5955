import type { TopUpEvent } from '../../contracts/events/topUp.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

/** What a round of the reactor needs to find the companies to top up. The decider decides again. */
export type TopUpRow = {
  readonly companyId: string
  readonly isOn: boolean
  readonly thresholdMicros: string | null
  /** The attempt whose outcome is not known yet. */
  readonly runningAttempt: string | null
  /** All credits ever granted at the last attempt. */
  readonly triedAtMicros: string | null
  readonly lastFailed: boolean
  readonly mayRepeat: boolean
}

export const topUps: Projection<TopUpRow, TopUpEvent> = {
  name: 'top-ups',
  version: 1,
  categories: ['topUp'],
  table: 'top_ups',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId'],
  rowsOf: (event) => [{ companyId: event.data.companyId }],
  evolve: (before, event) => {
    const row = before ?? { companyId: event.data.companyId, ...NOTHING_SET }
    switch (event.type) {
      case 'TopUpMethodSaved':
        return { ...row, mayRepeat: row.mayRepeat || row.lastFailed }
      case 'TopUpSet': {
        const { thresholdMicros } = event.data
        return { ...row, isOn: true, thresholdMicros, mayRepeat: row.mayRepeat || row.lastFailed }
      }
      case 'TopUpSwitchedOff':
        return { ...row, isOn: false }
      case 'TopUpMethodRemoved':
        return row
      case 'TopUpStarted': {
        const { attemptId: runningAttempt, grantsMicros: triedAtMicros } = event.data
        return { ...row, runningAttempt, triedAtMicros, lastFailed: false, mayRepeat: false }
      }
      case 'TopUpConfirmationNeeded':
        return row
      case 'TopUpSucceeded':
        return ended(row, event.data.attemptId, false)
      case 'TopUpDeclined':
      case 'TopUpGivenUp':
        return ended(row, event.data.attemptId, true)
      default:
        return unexpected(event)
    }
  },
}

const NOTHING_SET = {
  isOn: false,
  thresholdMicros: null,
  runningAttempt: null,
  triedAtMicros: null,
  lastFailed: false,
  mayRepeat: false,
}

/** A payment that is reported after its attempt was given up ends no other attempt. */
function ended(row: TopUpRow, attemptId: string, lastFailed: boolean): TopUpRow {
  return row.runningAttempt === attemptId ? { ...row, runningAttempt: null, lastFailed } : row
}
