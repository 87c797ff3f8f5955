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
    { kind: 'byType', name: 'ADJUSTMENT', firstRevision: '0', entries: '1', deltaMicros: '1000' },
    { kind: 'byType', name: 'USAGE', firstRevision: '1', entries: '2', deltaMicros: '-80' },
    { kind: 'byAlias', name: 'svc/chat-default', firstRevision: '1', entries: '2', deltaMicros: '-80' },
    { kind: 'byKey', firstRevision: '1' },
    { kind: 'byLabel', name: 'search', firstRevision: '1', entries: '1', deltaMicros: '-50' },
    ...found.filter(({ kind, firstRevision }) => kind === 'byKey' && firstRevision === '2'),
    { kind: 'byLabel', name: '(none)', firstRevision: '2', entries: '1', deltaMicros: '-30' },
    { kind: 'byType', name: 'FAILED', firstRevision: '3', entries: '1', deltaMicros: '0' },
  ])
})

test('each block has its own totals', () => {
  const later = charge && { ...charge, revision: BLOCK_REVISIONS }
  const types = rows(charge, later).filter(({ kind }) => kind === 'byType')
  expect(types).toMatchObject([
    { block: '0', entries: '1' },
    { block: '1', entries: '1', firstRevision: String(BLOCK_REVISIONS) },
  ])
})
