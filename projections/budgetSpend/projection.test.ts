import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, failed, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { budgetSpend } from './projection.ts'

const COMPANY = randomUUID()
const PROJECT = randomUUID()
const rowsAfter = (...events: LedgerEvent[]) => [
  ...applyEvents(budgetSpend, history(streamName('ledger', COMPANY), ...events)).values(),
]

test('a call counts for its project and its fixed label, by day, by month and in total, until it is reversed', () => {
  const both = charged(COMPANY, { projectId: PROJECT, label: 'team-a', labelFixed: true })
  const rows = rowsAfter(both)
  expect(rows.map(({ account, period, spentMicros }) => [account, period, spentMicros])).toEqual([
    [`project:${PROJECT}`, '2026-03-01', '50'],
    [`project:${PROJECT}`, '2026-03', '50'],
    [`project:${PROJECT}`, 'total', '50'],
    [`label:${COMPANY}:team-a`, '2026-03-01', '50'],
    [`label:${COMPANY}:team-a`, '2026-03', '50'],
    [`label:${COMPANY}:team-a`, 'total', '50'],
  ])
  expect(rowsAfter(both, reversed(both)).every(({ spentMicros }) => spentMicros === '0')).toBe(true)
})

test('a label that callers may choose has no row, nor has a call without a project', () => {
  expect(rowsAfter(charged(COMPANY, { label: 'team-a' }), failed(COMPANY))).toEqual([])
})
