import { grouped, ofCategory, only } from '../events.ts'
import type { Fold, Row } from './fold.ts'

/** The last attempt ends with the first event that says how; changes after a failure allow one more for the same fall. */
export const topUps: Fold = {
  table: 'top_ups',
  key: ['company_id'],
  rowsOf: (events) =>
    [...grouped(only(ofCategory(events, 'topUp'), ...TYPES), ({ data }) => data.companyId)].map(([companyId, own]) => {
      const set = only(own, 'TopUpSet').at(-1)?.data
      const started = only(own, 'TopUpStarted').at(-1)
      const since = started ? own.slice(own.findIndex(({ id }) => id === started.id) + 1) : []
      const end = only(since, 'TopUpSucceeded', 'TopUpDeclined', 'TopUpGivenUp').find(
        ({ data }) => data.attemptId === started?.data.attemptId,
      )
      const hasFailed = end !== undefined && end.type !== 'TopUpSucceeded'
      const sinceEnd = hasFailed ? since.slice(since.findIndex(({ id }) => id === end.id) + 1) : []
      const row: Row = {
        company_id: companyId,
        is_on: only(own, 'TopUpSet', 'TopUpSwitchedOff').at(-1)?.type === 'TopUpSet',
        threshold_micros: set?.thresholdMicros,
        running_attempt: end ? null : started?.data.attemptId,
        tried_at_micros: started?.data.grantsMicros,
        last_failed: hasFailed,
        may_repeat: only(sinceEnd, 'TopUpMethodSaved', 'TopUpSet').length > 0,
      }
      return row
    }),
}

const TYPES = [
  'TopUpMethodSaved',
  'TopUpMethodRemoved',
  'TopUpSet',
  'TopUpSwitchedOff',
  'TopUpStarted',
  'TopUpConfirmationNeeded',
  'TopUpSucceeded',
  'TopUpDeclined',
  'TopUpGivenUp',
] as const
