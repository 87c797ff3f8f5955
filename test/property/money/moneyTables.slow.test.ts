import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, test } from 'vitest'
import { isoTime } from '../../../platform/clock/clock.ts'
import { creditLots } from '../../../services/backend/graphql/resolvers/payments/creditLots.ts'
import { propertyRuns } from '../../support/cases/propertyRuns.ts'
import { ReadModels } from '../../support/databases/readModels.ts'
import { tryStories } from '../../support/events/stories.ts'
import { EnginesInDatabase } from './moneyEnginesInDatabase.ts'
import { MONEY_MODELS } from './moneyFigures.ts'
import { MoneyLife } from './moneyLife.ts'
import { lifeOfMoney, type PlannedLife } from './moneySteps.ts'
import { same } from './sameFigures.ts'

const RUNS_MS_MAX = 60_000
const RUNS = { numRuns: propertyRuns({ few: 10, many: 60 }), msMax: RUNS_MS_MAX }
const PAGE_LOTS = 100

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  for (const projection of MONEY_MODELS) models.run(projection as never)
})
afterAll(() => models.close())

test('lots, read models and GraphQL of a database agree with the model of the money after any life', () =>
  tryStories(lifeOfMoney, endsRight, RUNS))

async function endsRight({ company, share, steps }: PlannedLife): Promise<void> {
  const companyId = randomUUID()
  const enginesFor = await EnginesInDatabase.openAt(models, companyId)
  const life = new MoneyLife({ company: { companyId, ...company }, share }, enginesFor)
  await life.lead(steps)
  await expectLotsShown(life)
  await expectRows(life)
}

/** The rows that projectors keep are those of the folds that were compared after each step. */
async function expectRows({ company: { companyId }, shown }: MoneyLife): Promise<void> {
  await models.caughtUp(...(MONEY_MODELS as never as Parameters<ReadModels['caughtUp']>))
  for (const model of MONEY_MODELS) {
    const stored = (await models.rows(model as never)).filter((row) => (row as Owned).companyId === companyId)
    const folded = shown.rows<Owned>(model)
    same(model.name, { rows: texts(folded) }, { rows: texts(stored) })
  }
}

type Owned = { readonly companyId: string }
type Shown = Record<'lotId' | 'grantedMicros' | 'spentMicros' | 'expiredMicros' | 'takenMicros' | 'leftMicros', string>

/** `creditLots` lists the lots that calls can use in the order in which they burn them, and the others after them. */
async function expectLotsShown({ company: { companyId }, model, product, clock, now }: MoneyLife): Promise<void> {
  const resolve = creditLots.Query?.creditLots as unknown as Resolver
  const runtime = { engines: { database: product.engines.database }, clock }
  const page = await resolve(null, { first: PAGE_LOTS, after: null }, { user: { companyId }, runtime })
  const lots = model.shownLots().map(({ lotId, terms, sums }) => {
    const { granted, spent, expired, left, refunded, disputed, corrected } = sums
    const amounts = [granted, spent, expired, (refunded ?? 0) + (disputed ?? 0) + (corrected ?? 0), left].map(String)
    const isOver = terms[2] !== null && Number(terms[2]) <= now
    return { isUsable: left !== 0 && !isOver, text: [lotId, ...amounts].join(' ') }
  })
  const found = page.nodes.map((lot) => {
    const amounts = [lot.grantedMicros, lot.spentMicros, lot.expiredMicros, lot.takenMicros, lot.leftMicros]
    return [lot.lotId, ...amounts].join(' ')
  })
  const usable = lots.filter(({ isUsable }) => isUsable).map(({ text }) => text)
  const at = `creditLots at ${isoTime(now)}`
  same(at, { usable }, { usable: found.slice(0, usable.length) })
  same(at, { all: lots.map(({ text }) => text).toSorted() }, { all: found.toSorted() })
}

type Resolver = (
  source: null,
  args: { readonly first: number; readonly after: null },
  context: object,
) => Promise<{ readonly nodes: readonly Shown[] }>

function texts(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted()
}
