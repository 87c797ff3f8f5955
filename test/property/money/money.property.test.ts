import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { HAS_MANY_RUNS, propertyRuns } from '../../support/cases/propertyRuns.ts'
import { EnginesInMemory } from './moneyEngines.ts'
import { MoneyLife } from './moneyLife.ts'
import { lifeOfMoney, type PlannedLife } from './moneySteps.ts'

const COMPANY = deterministicId('the company of a life')
const SAMPLE = { numRuns: 200, seed: 1 }
/** On a slow machine fewer lives are tried, rather than the test timing out. */
const RUNS_MS_MAX = HAS_MANY_RUNS ? 240_000 : 60_000
const RUNS = { numRuns: propertyRuns({ few: 300, many: 10_000 }), interruptAfterTimeLimit: RUNS_MS_MAX }

/** What lives must come to in the sample at least, so that the property cannot become one about nothing. */
const SEEN_MIN = {
  ...{ CreditsExpired: 100, CreditsReinstated: 15, CreditsWithdrawn: 40, CreditsRefunded: 40, ChargeReversed: 30 },
  ...{ TopUpSucceeded: 10, TopUpDeclined: 10, TopUpConfirmationNeeded: 3, TopUpSwitchedOff: 10, MonthBilled: 30 },
  ...{ InvoiceSettled: 5, UsageInvoiceEnded: 1, CompanySuspended: 20, CompanyResumed: 5, DisputeClosed: 20 },
  ...{ 'debt that a lot paid': 10, 'expiry that was too early': 3, 'expired credits that were taken': 2 },
  ...{ 'unused credits rolled over': 15, 'call refused': 50, 'top-up switched off: DECLINED': 2 },
}

async function lead({ company, share, steps }: PlannedLife): Promise<MoneyLife> {
  const life = new MoneyLife({ company: { companyId: COMPANY, ...company }, share }, (clock) => {
    return new EnginesInMemory(COMPANY, clock)
  })
  await life.lead(steps)
  return life
}

test('every view of the money agrees with a model of its own after each step of any life', async () => {
  const property = fc.asyncProperty(lifeOfMoney, async (life) => void (await lead(life)))
  await fc.assert(property, RUNS)
})

test('lives come to all that money can come to', async () => {
  const seen = new Map<string, number>()
  const add = (name: string, times = 1) => seen.set(name, (seen.get(name) ?? 0) + times)
  for (const planned of fc.sample(lifeOfMoney, SAMPLE)) {
    const { product, model, calls } = await lead(planned)
    for (const { type, data } of product.engines.events) {
      add(type)
      if (type === 'TopUpSwitchedOff') add(`top-up switched off: ${data.reason}`)
    }
    const { units, terms } = model.lots
    for (const { neededBy } of units.owed) {
      add(neededBy.includes(' of ') ? 'expired credits that were taken' : 'expiry that was too early')
    }
    add('debt that a lot paid', units.debtsPaid)
    add('unused credits rolled over', [...terms.values()].filter(({ source }) => source === 'ROLLOVER').length)
    add('call refused', calls.refused)
  }
  const short = Object.entries(SEEN_MIN).filter(([name, least]) => (seen.get(name) ?? 0) < least)
  expect(short.map(([name, least]) => `${name}: ${seen.get(name) ?? 0} of ${least}`)).toEqual([])
})
