import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { ReadModels } from '../../test/support/readModels.ts'
import { apiKeys } from '../apiKeys/projection.ts'
import { calls } from '../calls/projection.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import type { Projection } from '../projection.ts'
import { type CatchUpOptions, catchUpTogether } from './catchUp.ts'
import { prepareProjection } from './runner.ts'
import type { Step } from './sharedTransactions.ts'

const MODELS: readonly Projection[] = [creditBalances, calls, apiKeys]
const EVENTS = 250
const EVENTS_MIN = 100
const PAGE_EVENTS = 100
const companyId = randomUUID()

let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
  for (const projection of MODELS) await prepareProjection(models.database, projection, ['all'])
  await models.chargeCalls(companyId, EVENTS)
})
afterEach(() => models.close())

function catchUp(changes: Partial<CatchUpOptions> = {}): Promise<void> {
  const { database, store, feed } = models
  const signal = new AbortController().signal
  return catchUpTogether({
    ...{ projections: MODELS, database, source: store, feed, transactions: models.anotherProcess(), signal },
    ...{ eventsMin: EVENTS_MIN, pageEventsMax: PAGE_EVENTS },
    ...changes,
  })
}

/** Stores as a projector does, unless the step is to fail. */
function failing(fails: (step: Step) => boolean): CatchUpOptions['transactions'] {
  const shared = models.anotherProcess()
  return {
    store: (step) => (fails(step) ? Promise.reject(new Error('the database is away')) : shared.store(step)),
  }
}

async function expectFolded(...projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) {
    expect(await models.rows(projection)).toEqual(await models.folded(projection))
    expect(await models.position(projection)).toBe(await models.store.head())
  }
}

test('models that are far behind reach the head, and each page is read once for all of them', async () => {
  let reads = 0
  const source: CatchUpOptions['source'] = {
    ...models.store,
    readAll: (options) => {
      reads++
      return models.store.readAll(options)
    },
  }
  await catchUp({ source })
  await expectFolded(...MODELS)
  expect(reads).toBe(Math.ceil(EVENTS / PAGE_EVENTS))
})

test('a catch-up that ends with an error is continued where it was, and counts no event twice', async () => {
  const first = await models.store.readAll({ after: BEGINNING, limit: PAGE_EVENTS })
  const interrupted = catchUp({ transactions: failing(({ from }) => from !== BEGINNING) })
  await expect(interrupted).rejects.toThrow('the database is away')
  for (const projection of MODELS) expect(await models.position(projection)).toBe(first.position)
  await catchUp()
  await expectFolded(...MODELS)
})

test('a model that fails alone is left to its runner; the others go on', async () => {
  const troubles: string[] = []
  await catchUp({
    transactions: failing(({ projection }) => projection.name === calls.name),
    onTrouble: (projection) => troubles.push(projection),
  })
  expect(troubles).toEqual([calls.name])
  expect(await models.position(calls)).toBe(BEGINNING)
  await expectFolded(creditBalances, apiKeys)
})

test('a model that another runner moves meanwhile is left to it', async () => {
  const shared = models.anotherProcess()
  let isFirst = true
  await catchUp({
    transactions: {
      store: async (step) => {
        if (isFirst && step.projection.name === calls.name) {
          isFirst = false
          const [event] = step.events
          if (event) await models.anotherProcess().store({ ...step, events: [event], to: event.position })
        }
        return shared.store(step)
      },
    },
  })
  expect(await models.rows(calls)).toHaveLength(1)
  await expectFolded(creditBalances)
  models.run(calls)
  await models.caughtUp(calls)
  await expectFolded(calls)
})

test('a few events are left to the runners', async () => {
  await catchUp()
  const head = await models.store.head()
  await models.chargeCalls(companyId, 10)
  await catchUp()
  expect(await models.position(creditBalances)).toBe(head)
})
