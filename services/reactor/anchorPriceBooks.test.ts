import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LedgerWriter } from '../../capabilities/ledger/ledgerWriter.ts'
import { COMMON_LEDGER_ID } from '../../contracts/events/ledger.ts'
import type { PricingEvent } from '../../contracts/events/pricing.ts'
import { pricingStream, streamName } from '../../contracts/streams.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { priceBooks } from '../../projections/priceBooks/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { published } from '../../test/support/events/controlEvents.ts'
import { collect } from '../../test/support/events/events.ts'
import { granted } from '../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { StoredTransparencyLog } from '../../test/support/transparency/storedTransparencyLog.ts'
import { createPriceBookAnchoring } from './anchorPriceBooks.ts'

const { log } = openLog({ level: process.env.TEST_LOG_LEVEL ?? 'silent', file: null })
const clock = new ManualClock()
let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
})
afterEach(() => models.close())

/** Stores the book, and lets the read model show it. */
async function publish(companyId: string | null, changes: Partial<PricingEvent['data']> = {}): Promise<string> {
  const bookId = randomUUID()
  await models.append(pricingStream(companyId), published(bookId, undefined, undefined, { companyId, ...changes }))
  await models.rebuild(priceBooks)
  return bookId
}

/** A reactor that has just started. */
function anchoring(store: TypedEventStore = models.store): () => Promise<void> {
  const ledger = new LedgerWriter(new PursuingAppender(store, clock))
  return createPriceBookAnchoring({ engines: { database: models.database, store, ledger }, clock, log })
}

const ledgerOf = (companyId: string) => collect(models.store.readStream(streamName('ledger', companyId)))
const anchorsOn = async (companyId: string) =>
  (await ledgerOf(companyId)).flatMap(({ type, data }) => (type === 'PriceBookAnchored' ? [data] : []))
const booksOn = async (companyId: string) => (await anchorsOn(companyId)).map(({ bookId }) => bookId)

/** A store that refuses appends to a ledger while it is told to. */
function refusing(isRefused: (stream: string) => boolean, changes: Partial<TypedEventStore> = {}): TypedEventStore {
  const append: TypedEventStore['append'] = async (stream, ...rest) => {
    if (isRefused(stream)) throw new Error('refused by the test')
    return models.store.append(stream, ...rest)
  }
  return new Proxy(models.store, {
    get: (store, name) => {
      if (name === 'append') return append
      if (name in changes) return changes[name as keyof TypedEventStore]
      const value: unknown = Reflect.get(store, name)
      return typeof value === 'function' ? value.bind(store) : value
    },
  })
}

describe('price books are anchored', () => {
  test('on the common ledger and on that of their company, with everything that they say', async () => {
    const companyId = randomUUID()
    const retired = ['svc/chat-old']
    const common = await publish(null, { retired })
    const own = await publish(companyId)
    await anchoring()()
    const books = await collect(models.store.readStream(pricingStream(null)))
    const { companyId: bookCompanyId, ...said } = (books[0] as PricingEvent).data
    expect(said).toMatchObject({ bookId: common, retired })
    const anchoredAt = new Date(clock.now()).toISOString()
    expect(await anchorsOn(COMMON_LEDGER_ID)).toEqual([
      { companyId: COMMON_LEDGER_ID, bookCompanyId, ...said, anchoredAt },
    ])
    expect(await anchorsOn(companyId)).toMatchObject([{ companyId, bookCompanyId: companyId, bookId: own }])
    const [{ metadata } = {}] = await ledgerOf(companyId)
    expect(metadata?.actor).toEqual({ kind: 'system', name: 'reactor' })
  })

  test('with the time when a book that was stored late takes effect', async () => {
    // Decided with its lead time, and stored long after it: gateways charge by it only once they know it.
    await publish(null, { effectiveFrom: '2026-03-01T10:00:05.000Z', publishedAt: '2026-03-01T10:00:00.000Z' })
    await anchoring()()
    const [book] = await collect(models.store.readStream(pricingStream(null)))
    const [anchor] = await anchorsOn(COMMON_LEDGER_ID)
    expect(anchor?.effectiveFrom).toBe(book?.data.effectiveFrom)
    expect(Date.parse(anchor?.effectiveFrom ?? '')).toBeGreaterThan(Date.parse(book?.recordedAt ?? ''))
  })

  test('in the order of their stream, including those of earlier versions', async () => {
    const books = [await publish(null), await publish(null, { replacesAll: true }), await publish(null)]
    await anchoring()()
    expect(await booksOn(COMMON_LEDGER_ID)).toEqual(books)
    const later = await publish(null)
    await anchoring()()
    expect(await booksOn(COMMON_LEDGER_ID)).toEqual([...books, later])
  })
})

describe('each book is anchored once', () => {
  test('by a reactor that works round after round', async () => {
    const bookId = await publish(null)
    const round = anchoring()
    for (const _ of [1, 2, 3]) await round()
    expect(await booksOn(COMMON_LEDGER_ID)).toEqual([bookId])
  })

  test('by reactors that work at once, and by one that starts later', async () => {
    const books = [await publish(null), await publish(null), await publish(null)]
    await Promise.all([anchoring()(), anchoring()(), anchoring()()])
    await anchoring()()
    expect(await booksOn(COMMON_LEDGER_ID)).toEqual(books)
  })

  test('whether its anchor is sealed yet or not', async () => {
    const companyId = randomUUID()
    await models.append(streamName('ledger', companyId), granted(companyId))
    const transparencyLog = new StoredTransparencyLog(models.database, models.store)
    const sealed = await publish(companyId)
    await anchoring()()
    await transparencyLog.seal()
    const unsealed = await publish(companyId)
    await anchoring()()
    const appended: string[] = []
    const watched = refusing((stream) => {
      appended.push(stream)
      return false
    })
    await anchoring(watched)()
    expect(await booksOn(companyId)).toEqual([sealed, unsealed])
    // The sealed one is known without asking the store.
    expect(appended).toEqual([streamName('ledger', companyId)])
  })

  test('by a store that forgets ids, because it waits until the log has everything that was written before', async () => {
    const transparencyLog = new StoredTransparencyLog(models.database, models.store)
    const first = await publish(null)
    await anchoring()()
    const appended: string[] = []
    const forgetful = refusing(
      (stream) => {
        appended.push(stream)
        return false
      },
      { idsAreUnique: false },
    )
    const round = anchoring(forgetful)
    const second = await publish(null)
    await round()
    expect(appended).toEqual([])
    await transparencyLog.seal()
    await models.database.query('update ledger_log.progress set position = $1', [await models.store.head()])
    await round()
    expect(appended).toEqual([streamName('ledger', COMMON_LEDGER_ID)])
    expect(await booksOn(COMMON_LEDGER_ID)).toEqual([first, second])
  })
})

test('a ledger whose book is refused waits with its later books, and holds up no other ledger', async () => {
  const companyId = randomUUID()
  const own = [await publish(companyId), await publish(companyId)]
  const common = await publish(null)
  let isRefused = true
  const round = anchoring(refusing((stream) => isRefused && stream === streamName('ledger', companyId)))
  await round()
  expect([await booksOn(companyId), await booksOn(COMMON_LEDGER_ID)]).toEqual([[], [common]])
  isRefused = false
  await round()
  expect(await booksOn(companyId)).toEqual([])
  await clock.advance(15_000)
  await round()
  expect(await booksOn(companyId)).toEqual(own)
})
