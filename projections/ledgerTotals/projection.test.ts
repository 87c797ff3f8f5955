import { expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, failed, granted } from '../../test/support/events/ledgerEvents.ts'
import { BLOCK_REVISIONS } from '../ledgerBlocks/projection.ts'
import { applyEvents } from '../projection.ts'
import { ledgerTotals } from './projection.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const [grant, charge, another, failure] = history(
  streamName('ledger', companyId),
  granted(companyId, { amountMicros: '1000', source: 'ADJUSTMENT' }),
  charged(companyId, { amountMicros: '50', alias: 'svc/chat-default', label: 'search' }),
  charged(companyId, { amountMicros: '30', alias: 'svc/chat-default', label: null }),
  failed(companyId),
)
const rows = (...events: (typeof grant)[]) => [
  ...applyEvents(
    ledgerTotals,
    events.filter((event) => event !== undefined),
  ).values(),
]

test('entries are added up by type, and charged calls also by alias, key and label', () => {
  const found = rows(grant, charge, another, failure)
  expect(found).toMatchObject([
    { kind: 'byType', name: 'ADJUSTMENT', first_revision: '0', entries: '1', delta_micros: '1000' },
    { kind: 'byType', name: 'USAGE', first_revision: '1', entries: '2', delta_micros: '-80' },
    { kind: 'byAlias', name: 'svc/chat-default', first_revision: '1', entries: '2', delta_micros: '-80' },
    { kind: 'byKey', first_revision: '1' },
    { kind: 'byLabel', name: 'search', first_revision: '1', entries: '1', delta_micros: '-50' },
    ...found.filter(({ kind, first_revision }) => kind === 'byKey' && first_revision === '2'),
    { kind: 'byLabel', name: '(none)', first_revision: '2', entries: '1', delta_micros: '-30' },
    { kind: 'byType', name: 'FAILED', first_revision: '3', entries: '1', delta_micros: '0' },
  ])
})

test('each block has totals of its own', () => {
  const later = charge && { ...charge, revision: BLOCK_REVISIONS }
  const types = rows(charge, later).filter(({ kind }) => kind === 'byType')
  expect(types).toMatchObject([
    { block: '0', entries: '1' },
    { block: '1', entries: '1', first_revision: String(BLOCK_REVISIONS) },
  ])
})
