import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../../contracts/streams.ts'
import { deltaMicros } from '../../../domain/ledger/balance.ts'
import { BLOCK_REVISIONS, ledgerBlocks } from '../../../projections/ledgerBlocks/projection.ts'
import { anEventOf } from '../../../test/support/history.ts'
import { adjusted, charged, failed, granted } from '../../../test/support/ledgerEvents.ts'
import { propertyRuns } from '../../../test/support/propertyRuns.ts'
import { ReadModels } from '../../../test/support/readModels.ts'
import { isoTime } from '../clock/clock.ts'
import { EVENTS_PER_APPEND_MAX } from '../eventStore/eventGuard.ts'
import { boundaryAt, boundaryOf } from './ledgerBoundary.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
})
afterAll(() => models.close())

const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z')
const anyEvent = (companyId: string) => [granted, charged, failed, adjusted].map((make) => () => make(companyId))

/** Two blocks and a part of a third, of which the model does not know the end. */
const LENGTH = 2 * BLOCK_REVISIONS + 300
const KNOWN = 2 * BLOCK_REVISIONS + 100

/** Times go forwards, stand still or go back, and jump far near the borders of blocks. */
const steps = fc.array(fc.constantFrom(0, 0, 1, 1, 2, 1000, -1, -500), { minLength: 40, maxLength: 40 })

test('a boundary is before the first entry at its time or later, and has the sum of all entries before it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.nat(LENGTH - 1), { minLength: 12, maxLength: 12 }), async (walk, places) => {
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
      for (let at = 0; at < LENGTH; at += EVENTS_PER_APPEND_MAX) {
        if (at >= KNOWN && at < KNOWN + EVENTS_PER_APPEND_MAX) await models.rebuild(ledgerBlocks)
        const events = ledger.slice(at, at + EVENTS_PER_APPEND_MAX).map(({ stored }) => stored)
        await models.store.append(streamName('ledger', companyId), 'any', events)
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
    { numRuns: propertyRuns({ few: 2, many: 10 }), endOnFailure: true },
  )
}, 60_000)
