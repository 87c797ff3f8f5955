import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DomainEvent } from '../../../../../contracts/envelope.ts'
import type { GrantSource } from '../../../../../contracts/events/ledger.ts'
import { type LotTerms, WITHOUT_EXPIRY } from '../../../../../contracts/events/lotTerms.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { foldLots } from '../../../../../test/support/databases/foldLots.ts'
import { anEventOf } from '../../../../../test/support/events/history.ts'
import { charged, granted, refunded } from '../../../../../test/support/events/ledgerEvents.ts'
import {
  type BackendHarness,
  type Person,
  startBackendHarness,
} from '../../../../../test/support/harness/backendHarness.ts'

const [PAST, SOON, LATER] = ['2026-01-02T00:00:00.000Z', '2100-01-01T00:00:00.000Z', '2100-02-01T00:00:00.000Z']
const CALLED_AT = '2026-01-03T00:00:00.000Z'
const LOTS = `query ($first: Int, $after: String, $asCompany: ID) {
  creditLots(first: $first, after: $after, asCompany: $asCompany) {
    nodes {
      lotId source priority expiresAt isExpired grantedCredits grantedMicros spentCredits expiredCredits takenCredits
      takenMicros leftCredits leftMicros rollover { share expiresAt }
    }
    pageInfo { hasNextPage endCursor }
  }
}`
const BALANCE = '{ creditBalance { debtCredits debtMicros nextExpiry { at credits micros } } }'

let backend: BackendHarness
let companyId: string
let owner: Person
beforeAll(async () => {
  backend = await startBackendHarness()
})
afterAll(() => backend.close())
beforeEach(async () => {
  companyId = await backend.registerCompany()
  owner = await backend.register(`${randomUUID()}@lots.example`, companyId)
})

async function append(...events: DomainEvent[]): Promise<void> {
  const { store, database } = backend.runtime.engines
  await store.append(
    streamName('ledger', companyId),
    'any',
    events.map((event) => anEventOf(event)),
  )
  await foldLots({ store, database })
}
const grant = (
  amountMicros: string,
  lot: Partial<LotTerms> = {},
  source: GrantSource = 'PACK_PURCHASE',
  grantId = randomUUID(),
) => granted(companyId, { grantId, source, amountMicros, lot: { ...WITHOUT_EXPIRY, ...lot } })
const charge = (amountMicros: string) =>
  charged(companyId, { amountMicros, admittedAt: CALLED_AT, finishedAt: CALLED_AT })
const lots = async (variables: object = {}, token = owner.token) =>
  (await backend.ask(LOTS, variables, token)).data.creditLots
const balance = async () => (await backend.ask(BALANCE, {}, owner.token)).data.creditBalance
const left = (page: { nodes: { leftCredits: number }[] }) => page.nodes.map(({ leftCredits }) => leftCredits)

describe('creditLots', () => {
  test('shows of each lot what was granted, spent and taken, what is left, and its terms', async () => {
    const rollover = { share: '250000', expiresAt: LATER }
    const grantId = randomUUID()
    const lot = grant('100000000', { expiresAt: SOON, rollover }, 'SUBSCRIPTION', grantId)
    await append(lot, charge('30500000'), refunded(companyId, { grantId, amountMicros: '20000000' }))
    expect((await lots()).nodes).toEqual([
      {
        ...{ lotId: grantId, source: 'SUBSCRIPTION', priority: 0, expiresAt: SOON, isExpired: false },
        ...{ grantedCredits: 100, grantedMicros: '100000000', spentCredits: 30.5, expiredCredits: 0 },
        ...{ takenCredits: 20, takenMicros: '20000000', leftCredits: 49.5, leftMicros: '49500000' },
        rollover: { share: 0.25, expiresAt: LATER },
      },
    ])
  })

  test('lists lots in the order in which calls use them, then those that no call can use, the newest first', async () => {
    await append(
      grant('1000000', { expiresAt: PAST }),
      grant('2000000'),
      charge('2000000'),
      grant('3000000'),
      grant('4000000', { expiresAt: LATER }),
      grant('5000000', { expiresAt: SOON }),
      grant('6000000', { expiresAt: PAST }),
      grant('7000000', { priority: 1 }, 'PROMOTION'),
    )
    const all = await lots()
    expect(left(all)).toEqual([7, 5, 4, 3, 6, 0, 1])
    const expired = all.nodes.filter(({ isExpired }: { isExpired: boolean }) => isExpired)
    expect(left({ nodes: expired })).toEqual([6, 1])
    const pages: number[] = []
    for (let after: string | null = null, more = true; more; ) {
      const page: Awaited<ReturnType<typeof lots>> = await lots({ first: 2, after })
      pages.push(...left(page))
      more = page.pageInfo.hasNextPage
      after = page.pageInfo.endCursor
    }
    expect(pages).toEqual(left(all))
  })

  test('shows a super admin the lots of the company that asCompany names', async () => {
    await append(grant('9000000'))
    expect(left(await lots({ asCompany: companyId }, backend.superAdmin.token))).toEqual([9])
  })

  test('refuses a cursor that it did not give', async () => {
    expect((await backend.ask(LOTS, { after: 'x' }, owner.token)).code).toBe('BAD_USER_INPUT')
  })
})

describe('the balance', () => {
  test('says what expires next, with all lots that expire at that moment, and not what has expired', async () => {
    expect(await balance()).toEqual({ debtCredits: 0, debtMicros: '0', nextExpiry: null })
    await append(
      grant('1000000', { expiresAt: PAST }),
      grant('4000000', { expiresAt: LATER }),
      grant('5000000', { expiresAt: SOON }),
      grant('6500000', { expiresAt: SOON }),
    )
    expect((await balance()).nextExpiry).toEqual({ at: SOON, credits: 11.5, micros: '11500000' })
  })

  test('says what the company owes', async () => {
    await append(grant('1000000'), charge('1000000'), charge('250000'))
    expect(await balance()).toEqual({ debtCredits: 0.25, debtMicros: '250000', nextExpiry: null })
  })

  test('at a moment says nothing of lots, which show the present only', async () => {
    await append(grant('1000000', { expiresAt: SOON }))
    const query = '{ creditBalance(at: "2100-01-01") { debtMicros nextExpiry { at } } }'
    const { creditBalance } = (await backend.ask(query, {}, owner.token)).data
    expect(creditBalance).toEqual({ debtMicros: null, nextExpiry: null })
  })
})
