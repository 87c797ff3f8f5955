import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import { BLOCK_REVISIONS, ledgerBlocks } from '../../projections/ledgerBlocks/projection.ts'
import { ledgerParts } from '../../projections/ledgerParts/projection.ts'
import { applyBatch, LIVE_SCHEMA } from '../../projections/runner/tables.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { anEventOf, history } from '../../test/support/events/history.ts'
import { adjusted, charged, failed, granted } from '../../test/support/events/ledgerEvents.ts'
import { boundaryAt, boundaryOf } from './ledgerBoundary.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  await models.rebuild(ledgerBlocks)
  await models.rebuild(ledgerParts)
})
afterAll(() => models.close())

const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z')
const anyEvent = (companyId: string) => [granted, charged, failed, adjusted].map((make) => () => make(companyId))

/** Two blocks and a part of a third. */
const LENGTH = 2 * BLOCK_REVISIONS + 300

/** How far blocks and parts have come: each may lag behind the ledger and the other. */
const STAGES = [0, 700, BLOCK_REVISIONS + 5, 2 * BLOCK_REVISIONS + 100, LENGTH]
const reached = fc.constantFrom(...STAGES)
const knowledge = fc.record({ blocks: reached, parts: reached })

/** Times go forwards, stand still or go back, and jump far near the boundaries of blocks. */
const steps = fc.array(fc.constantFrom(0, 0, 1, 1, 2, 1000, -1, -500), { minLength: 40, maxLength: 40 })
const somePlaces = fc.array(fc.nat(LENGTH - 1), { minLength: 12, maxLength: 12 })

const MIXED_STEPS = [0, 1, 1, 2, 1000, -1, 0, 1, -500, 2]
const ALL_OVER = [0, 31, 32, 350, 699, 700, 1023, 1024, 1029, 1500, 2148, LENGTH - 1]
/** Everything is known; the parts lag behind the blocks; the blocks lag behind the parts. */
const EXAMPLES: [number[], Record<'blocks' | 'parts', number>, number[]][] = [
  [MIXED_STEPS, { blocks: LENGTH, parts: LENGTH }, ALL_OVER],
  [MIXED_STEPS, { blocks: LENGTH, parts: BLOCK_REVISIONS + 5 }, ALL_OVER],
  [MIXED_STEPS, { blocks: 700, parts: LENGTH }, ALL_OVER],
]

test('a boundary is before the first entry at its time or later, and has the sum of all entries before it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, knowledge, somePlaces, async (walk, known, places) => {
      const companyId = randomUUID()
      const kinds = anyEvent(companyId)
      let ms = BEGIN_MS
      const ledger = Array.from({ length: LENGTH }, (_, at) => {
        ms += walk[at % walk.length] ?? 0
        const event = (kinds[(at * 7) % kinds.length] ?? kinds[0])?.()
        if (!event) throw new Error('there are kinds of events')
        const { metadata, ...stored } = anEventOf(event)
        return { event, time: isoTime(ms), stored: { ...stored, metadata: { ...metadata, recordedAt: isoTime(ms) } } }
      })
      for (const [stage, end] of STAGES.entries()) {
        for (let at = STAGES[stage - 1] ?? 0; at < end; at += EVENTS_PER_APPEND_MAX) {
          const part = ledger.slice(at, Math.min(end, at + EVENTS_PER_APPEND_MAX))
          const events = part.map(({ stored }) => stored)
          await models.store.append(streamName('ledger', companyId), 'any', events)
        }
        if (known.blocks === end) await models.rebuild(ledgerBlocks)
        if (known.parts === end) await models.rebuild(ledgerParts)
      }
      const times = places.map((at) => Date.parse(ledger[at]?.time ?? ''))
      for (const time of [0, ...times, ...times.map((each) => each + 1), ms + 10_000_000].map(isoTime)) {
        const found = ledger.findIndex((entry) => entry.time >= time)
        const number = found === -1 ? LENGTH : found
        const balanceMicros = ledger.slice(0, number).reduce((sum, { event }) => sum + deltaMicros(event), 0n)
        const boundary = { revision: number, number, balanceMicros }
        expect(await boundaryAt(models, companyId, time)).toEqual(boundary)
        expect(await boundaryOf(models, companyId, number)).toEqual(boundary)
      }
    }),
    { examples: EXAMPLES, numRuns: propertyRuns({ few: EXAMPLES.length, many: 10 }), endOnFailure: true },
  )
})

test('an event that the store holds twice counts once, even if the log does not have it yet', async () => {
  const companyId = randomUUID()
  const stream = streamName('ledger', companyId)
  const events = history(stream, granted(companyId), charged(companyId), charged(companyId), charged(companyId))
  const known = events.slice(0, 3)
  for (const model of [ledgerBlocks, ledgerParts]) {
    await applyBatch(models.database, model as typeof ledgerParts, LIVE_SCHEMA, known, true)
  }
  const [third, fourth] = events.slice(2)
  if (!third || !fourth) throw new Error('there are four events')
  const held = [...known, { ...third, revision: 3 }, { ...fourth, revision: 4 }]
  const store = {
    ...models.store,
    idsAreUnique: false,
    readStream: async function* (_: string, { from = 0, direction }: { from?: number; direction?: string } = {}) {
      yield* direction === 'backwards' ? held.slice(0, from + 1).reverse() : held.slice(from)
    },
  } as unknown as typeof models.store
  const end = await boundaryAt({ database: models.database, store }, companyId, '9999-12-31T23:59:59.999Z')
  const balanceMicros = events.reduce((sum, event) => sum + deltaMicros(event), 0n)
  expect(end).toEqual({ revision: 5, number: 4, balanceMicros })
})
