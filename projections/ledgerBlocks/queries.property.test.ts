import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { history } from '../../test/support/events/history.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { applyBatch, LIVE_SCHEMA } from '../runner/tables.ts'
import { BLOCK_REVISIONS, GROUP_BLOCKS, ledgerBlocks } from './projection.ts'
import { placeBefore, placeBeforeNumber, placeOfBlock } from './queries.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  await models.rebuild(ledgerBlocks)
})
afterAll(() => models.close())

const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z')
const LENGTH = 3 * GROUP_BLOCKS + 20

/** Blocks of one to three events, whose times go forwards, stand still or go far back, and some without an event. */
const ledgers = fc.array(
  fc.record({
    skipped: fc.constantFrom(0, 0, 0, 1, GROUP_BLOCKS),
    events: fc.integer({ min: 1, max: 3 }),
    stepMs: fc.constantFrom(0, 1, 1, 1000, -1, -5000),
  }),
  { minLength: 1, maxLength: LENGTH, size: 'max' },
)

test('a place in a ledger of several groups of blocks equals the sum over all blocks', async () => {
  await fc.assert(
    fc.asyncProperty(ledgers, fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }), async (ledger, picks) => {
      const companyId = randomUUID()
      const [charge] = history(streamName('ledger', companyId), charged(companyId, { amountMicros: '7' }))
      if (!charge) throw new Error('there is a charge')
      let block = -1
      let ms = BEGIN_MS
      const events = ledger.flatMap(({ skipped, events: count, stepMs }) => {
        block += 1 + skipped
        ms += stepMs
        const recordedAt = new Date(ms).toISOString()
        const revision = block * BLOCK_REVISIONS
        return Array.from({ length: count }, (_, n) => ({ ...charge, revision: revision + n, recordedAt }))
      })
      await applyBatch(models.database, ledgerBlocks, LIVE_SCHEMA, events, true)
      const blocks = [...applyEvents(ledgerBlocks, events).values()].filter(({ level }) => level === 0)
      const placeOf = (start: string) => {
        const before = blocks.filter((row) => Number(row.block) < Number(start))
        const count = before.reduce((sum, row) => sum + Number(row.events), 0)
        return { revision: Number(start) * BLOCK_REVISIONS, events: count, balanceMicros: BigInt(-7 * count) }
      }
      const last = blocks.at(-1)?.block ?? '0'
      for (const pick of picks) {
        const at = blocks[pick % blocks.length]
        if (!at) throw new Error('there are blocks')
        for (const time of [at.latestAt, new Date(Date.parse(at.latestAt) + 1).toISOString()]) {
          const start = blocks.find((row) => row.latestAt >= time)?.block ?? last
          expect(await placeBefore(models.database, companyId, time)).toEqual(placeOf(start))
        }
        const place = placeOf(at.block)
        expect(await placeOfBlock(models.database, companyId, Number(at.block))).toEqual(place)
        for (const number of [place.events, place.events + 1, events.length + 5]) {
          const start = blocks.findLast((row) => placeOf(row.block).events <= number)?.block ?? '0'
          expect(await placeBeforeNumber(models.database, companyId, number)).toEqual(placeOf(start))
        }
      }
    }),
    { numRuns: propertyRuns({ few: 5, many: 25 }), endOnFailure: true },
  )
})

test('an unknown ledger starts at the beginning', async () => {
  const companyId = randomUUID()
  const beginning = { revision: 0, events: 0, balanceMicros: 0n }
  expect(await placeBefore(models.database, companyId, '2026-03-01T00:00:00.000Z')).toEqual(beginning)
  expect(await placeBeforeNumber(models.database, companyId, 5)).toEqual(beginning)
  expect(await placeOfBlock(models.database, companyId, 0)).toEqual(beginning)
})
