import { expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { adjusted, charged, failed, granted } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { BLOCK_REVISIONS, GROUP_BLOCKS, ledgerBlocks } from './projection.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const [grant, charge, failure, adjustment] = history(
  streamName('ledger', companyId),
  granted(companyId, { amountMicros: '1000' }),
  charged(companyId, { amountMicros: '50' }),
  failed(companyId),
  adjusted(companyId, { amountMicros: '-7' }),
)
const rows = (...events: (typeof grant)[]) => [
  ...applyEvents(
    ledgerBlocks,
    events.filter((event) => event !== undefined),
  ).values(),
]

test('a block has the number of its events and their total change', () => {
  const shown = { companyId, block: '0', latestAt: '2026-12-31T23:59:59.999Z' }
  const totals = { ...shown, events: '4', deltaMicros: '943' }
  expect(rows(grant, charge, failure, adjustment)).toEqual([
    { ...totals, level: 0 },
    { ...totals, level: 1 },
  ])
})

test('blocks have equally many revisions', () => {
  const at = (revision: number) => charge && { ...charge, revision }
  const events = [0, BLOCK_REVISIONS - 1, BLOCK_REVISIONS, 3 * BLOCK_REVISIONS].map(at)
  expect(rows(...events).filter(({ level }) => level === 0)).toMatchObject([
    { block: '0', events: '2', deltaMicros: '-100' },
    { block: '1', events: '1' },
    { block: '3', events: '1' },
  ])
})

test('groups have equally many blocks', () => {
  const at = (revision: number) => charge && { ...charge, revision }
  const group = BLOCK_REVISIONS * GROUP_BLOCKS
  const events = [0, group - 1, group, 2 * group + 5].map(at)
  expect(rows(...events).filter(({ level }) => level === 1)).toMatchObject([
    { block: '0', events: '2', deltaMicros: '-100' },
    { block: '1', events: '1' },
    { block: '2', events: '1' },
  ])
})

test('the latest time of a block is kept if a clock was set back', () => {
  const at = (recordedAt: string) => charge && { ...charge, recordedAt }
  const events = ['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:02.000Z', '2026-03-01T00:00:01.000Z'].map(at)
  expect(rows(...events)).toMatchObject([
    { level: 0, latestAt: '2026-03-01T00:00:02.000Z' },
    { level: 1, latestAt: '2026-03-01T00:00:02.000Z' },
  ])
})
