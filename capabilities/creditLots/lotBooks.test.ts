import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { WITHOUT_EXPIRY } from '../../contracts/events/lotTerms.ts'
import { streamName } from '../../contracts/streams.ts'
import { foldLots } from '../../test/support/databases/foldLots.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import {
  adjusted,
  charged,
  granted,
  refunded,
  reinstated,
  reversed,
  withdrawn,
} from '../../test/support/events/ledgerEvents.ts'

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
})
afterAll(() => models.close())

const [FIRST, SECOND, THIRD] = [randomUUID(), randomUUID(), randomUUID()]
const DISPUTE = 'dp_1'
const lot = (grantId: string) => ({ grantId, amountMicros: '100', lot: WITHOUT_EXPIRY })

type Stored = ReturnType<typeof anEventOf>

function lifeOf(companyId: string, events: readonly LedgerEvent[]): Stored[] {
  const grants = [granted(companyId, lot(FIRST)), granted(companyId, lot(SECOND))]
  return [...grants, ...events].map((event) => anEventOf(event))
}

const LIVES: Readonly<Record<string, (companyId: string) => Stored[]>> = {
  'a charge of two lots is reversed': (id) => {
    const call = charged(id, { amountMicros: '150' })
    return lifeOf(id, [call, charged(id, { amountMicros: '20' }), reversed(call)])
  },
  'a corrected charge is reversed, and its credits come back once': (id) => {
    const call = charged(id, { amountMicros: '150' })
    const back = adjusted(id, { corrects: call.data.callId, amountMicros: '150' })
    return lifeOf(id, [call, back, charged(id, { amountMicros: '20' }), reversed(call)])
  },
  'a dispute takes more than its lot has, and is won': (id) => {
    const dispute = { grantId: FIRST, disputeId: DISPUTE, amountMicros: '150' }
    return lifeOf(id, [charged(id, { amountMicros: '30' }), withdrawn(id, dispute), reinstated(id, dispute)])
  },
  'a refund takes spent credits, which a later grant pays, and fails': (id) => {
    const refund = refunded(id, { grantId: SECOND, amountMicros: '100' })
    const events = lifeOf(id, [charged(id, { amountMicros: '150' }), charged(id, { amountMicros: '50' }), refund])
    const later = anEventOf(granted(id, { ...lot(THIRD), amountMicros: '300' }))
    return [...events, later, anEventOf(adjusted(id, { corrects: events.at(-1)?.id ?? null, amountMicros: '100' }))]
  },
  'a refund takes more than its lot has, and fails': (id) => {
    const events = lifeOf(id, [refunded(id, { grantId: FIRST, amountMicros: '130' })])
    return [...events, anEventOf(adjusted(id, { corrects: events.at(-1)?.id ?? null, amountMicros: '130' }))]
  },
}

function lotsOf(companyId: string) {
  return models.database.query(
    `select lot_id, granted_micros, spent_micros, refunded_micros, disputed_micros, left_micros, lacking_parts
     from credit_lots.lots where company_id = $1 order by age`,
    [companyId],
  )
}

test.each(Object.entries(LIVES))('%s: the same lots if the keeper starts again after each event', async (_, life) => {
  const [atOnce, oneByOne] = [randomUUID(), randomUUID()]
  await models.store.append(streamName('ledger', atOnce), 'any', life(atOnce))
  for (const event of life(oneByOne)) {
    await models.store.append(streamName('ledger', oneByOne), 'any', [event])
    await foldLots(models)
  }
  expect(await lotsOf(oneByOne)).toEqual(await lotsOf(atOnce))
})
