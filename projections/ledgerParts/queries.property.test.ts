import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { history } from '../../test/support/events/history.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { BLOCK_REVISIONS, GROUP_BLOCKS, ledgerBlocks } from '../ledgerBlocks/projection.ts'
import { applyEvents } from '../projection.ts'
import { applyBatch, LIVE_SCHEMA } from '../runner/tables.ts'
import { entriesOfPart, ledgerParts, PART_REVISIONS } from './projection.ts'
import { partBefore } from './queries.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  await models.rebuild(ledgerBlocks)
  await models.rebuild(ledgerParts)
})
afterAll(() => models.close())

const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z')
const BLOCK_PARTS = BLOCK_REVISIONS / PART_REVISIONS

/** Parts of one to three events, whose times go forwards, stand still or go far back, and some without an event. */
const ledgers = fc.array(
  fc.record({
    skipped: fc.constantFrom(0, 0, 0, 1, BLOCK_PARTS, BLOCK_PARTS * GROUP_BLOCKS),
    events: fc.integer({ min: 1, max: 3 }),
    gap: fc.constantFrom(0, 0, 5),
    stepMs: fc.constantFrom(0, 1, 1, 1000, -1, -5000),
  }),
  { minLength: 1, maxLength: 4 * BLOCK_PARTS, size: 'max' },
)
const picks = fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 })

test('the part of a moment in several groups and blocks equals that of a search through all parts', async () => {
  await fc.assert(
    fc.asyncProperty(ledgers, picks, async (ledger, picked) => {
      const companyId = randomUUID()
      const [charge] = history(streamName('ledger', companyId), charged(companyId, { amountMicros: '7' }))
      if (!charge) throw new Error('there is a charge')
      let part = -1
      let ms = BEGIN_MS
      const events = ledger.flatMap(({ skipped, events: count, gap, stepMs }) => {
        part += 1 + skipped
        ms += stepMs
        const recordedAt = new Date(ms).toISOString()
        const revision = part * PART_REVISIONS + gap
        return Array.from({ length: count }, (_, n) => ({ ...charge, revision: revision + n, recordedAt }))
      })
      for (const model of [ledgerBlocks, ledgerParts]) {
        await applyBatch(models.database, model as typeof ledgerParts, LIVE_SCHEMA, events, true)
      }
      const parts = [...applyEvents(ledgerParts, events).values()]
      const expected = (found: (typeof parts)[number] | undefined) => {
        if (!found) throw new Error('there are parts')
        const before = parts.slice(0, parts.indexOf(found)).reduce((sum, row) => sum + Number(row.events), 0)
        const place = {
          revision: Number(found.part) * PART_REVISIONS,
          events: before,
          balanceMicros: BigInt(-7 * before),
        }
        return { ...place, entries: [...entriesOfPart(found)] }
      }
      for (const pick of picked) {
        const at = parts[pick % parts.length]?.latestAt ?? ''
        for (const time of [at, new Date(Date.parse(at) + 1).toISOString()]) {
          const { entries, ...place } = await partBefore(models.database, companyId, time)
          const found = parts.find((row) => row.latestAt >= time) ?? parts.at(-1)
          expect({ ...place, entries: [...entries] }).toEqual(expected(found))
        }
      }
    }),
    { numRuns: propertyRuns({ few: 5, many: 50 }), endOnFailure: true },
  )
})

test('an unknown ledger starts at the beginning and has no entries', async () => {
  const { entries, ...place } = await partBefore(models.database, randomUUID(), '2026-03-01T00:00:00.000Z')
  expect(place).toEqual({ revision: 0, events: 0, balanceMicros: 0n })
  expect([...entries]).toEqual([])
})
