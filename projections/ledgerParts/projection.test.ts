import { expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { adjusted, charged, failed, granted } from '../../test/support/events/ledgerEvents.ts'
import { BLOCK_REVISIONS } from '../ledgerBlocks/projection.ts'
import { applyEvents } from '../projection.ts'
import { entriesOfPart, ledgerParts, PART_REVISIONS } from './projection.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const [grant, charge, failure, adjustment] = history(
  streamName('ledger', companyId),
  granted(companyId, { amountMicros: '1000' }),
  charged(companyId, { amountMicros: '50' }),
  failed(companyId),
  adjusted(companyId, { amountMicros: '-7' }),
)
if (!grant || !charge || !failure || !adjustment) throw new Error('a history has its events')
const rows = (...events: (typeof grant)[]) => [...applyEvents(ledgerParts, events).values()]

test('a part has the sum of its events, and the time and the change of each', () => {
  const at = (seconds: number) => ({ recordedAt: `2026-03-01T00:00:0${seconds}.000Z` })
  const events = [grant, { ...charge, ...at(1) }, { ...failure, ...at(3) }, { ...adjustment, ...at(2) }]
  const [row] = rows({ ...grant, ...at(0) }, ...events.slice(1))
  expect(row).toEqual({
    ...{ companyId, part: '0', events: '4', deltaMicros: '943' },
    ...{ firstAt: at(0).recordedAt, latestAt: at(3).recordedAt, entries: '0 1000,1000 -50,3000 0,2000 -7' },
  })
  expect([...entriesOfPart(row as NonNullable<typeof row>)]).toEqual([
    { revision: 0, recordedMs: Date.parse(at(0).recordedAt), deltaMicros: 1000n },
    { revision: 1, recordedMs: Date.parse(at(1).recordedAt), deltaMicros: -50n },
    { revision: 2, recordedMs: Date.parse(at(3).recordedAt), deltaMicros: 0n },
    { revision: 3, recordedMs: Date.parse(at(2).recordedAt), deltaMicros: -7n },
  ])
})

test('parts have equally many revisions, and blocks a whole number of parts', () => {
  const at = (revision: number) => ({ ...charge, revision })
  expect(rows(...[0, PART_REVISIONS - 1, PART_REVISIONS, 3 * PART_REVISIONS].map(at))).toMatchObject([
    { part: '0', events: '2', deltaMicros: '-100' },
    { part: '1', events: '1' },
    { part: '3', events: '1' },
  ])
  expect(BLOCK_REVISIONS % PART_REVISIONS).toBe(0)
})

test('entries keep their revisions if the ledger has revisions without an entry or times that go back', () => {
  const revisions = [2, 3, 7].map((revision) => PART_REVISIONS + revision)
  const times = ['2026-03-01T00:00:02.000Z', '2026-03-01T00:00:01.000Z', '2026-03-01T00:00:03.000Z']
  const [row] = rows(...revisions.map((revision, n) => ({ ...charge, revision, recordedAt: times[n] ?? '' })))
  if (!row) throw new Error('there is one part')
  expect(row).toMatchObject({ events: '3', firstAt: times[0], latestAt: times[2] })
  expect([...entriesOfPart(row)]).toEqual(
    revisions.map((revision, n) => ({ revision, recordedMs: Date.parse(times[n] ?? ''), deltaMicros: -50n })),
  )
})
