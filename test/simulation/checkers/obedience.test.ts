import { expect, test } from 'vitest'
import type { Company } from '../load/accounts.ts'
import type { Attempt } from '../load/attempt.ts'
import { hasGap } from '../spans.ts'
import { obedience } from './obedience.ts'

const KEY = { keyId: 'key', raw: 'raw', companyId: 'company' }
type Changes = { readonly revoked?: number; readonly suspended?: number; readonly resumed?: number }
type Disturbed = { readonly store?: readonly [number, number]; readonly isCutOff?: boolean }

const change = (ms: number | undefined) => (ms === undefined ? null : { sentAtMs: ms, answeredAtMs: ms })

/** What is found if a call of this moment ends so, after these changes. */
function found(atMs: number, status: number, code: string | null, changes: Changes, disturbed: Disturbed = {}) {
  const minted = { sentAtMs: 0, answeredAtMs: 0 }
  const suspended = change(changes.suspended)
  const company: Company = {
    ...{ companyId: 'company', hasHardCap: false, isPostpaid: false, grants: [] },
    keys: [{ ...KEY, minted, budgets: [], revoked: change(changes.revoked) }],
    suspensions: suspended ? [{ suspended, resumed: change(changes.resumed) }] : [],
  }
  const question = { name: 'question 1', key: KEY }
  const attempt = { question, gateway: 'gateway-1', sentAtMs: atMs, endedAtMs: atMs, status, code, isReplayed: false }
  const [fromMs, toMs] = disturbed.store ?? [0, 0]
  return obedience({
    companies: () => [company],
    attempts: () => [attempt as unknown as Attempt],
    keptUp: (process, from, to) => process === 'gateway-1' && hasGap([{ fromMs, toMs }], from, to, 250),
    wasCutOff: () => disturbed.isCutOff === true,
    ...{ wasPaused: () => false, events: () => [], provided: () => [], isLost: () => false, aheadMs: 0 },
  }).end()
}

test('a revoked key is refused a second later, unless all of this second was disturbed', () => {
  expect(found(2_100, 200, null, { revoked: 1_000 })).toContain('was accepted although it had been revoked')
  expect(found(1_900, 200, null, { revoked: 1_000 })).toBeNull()
  expect(found(9_000, 200, null, { revoked: 1_000 }, { store: [8_100, 9_100] })).toBeNull()
  expect(found(9_000, 200, null, { revoked: 1_000 }, { store: [1_000, 8_600] })).toContain('revoked')
})

test('a suspended company is refused a second later', () => {
  expect(found(2_100, 200, null, { suspended: 1_000 })).toContain('was served although it had been suspended')
  expect(found(1_900, 200, null, { suspended: 1_000 })).toBeNull()
})

test('a resumed company is served at once, or after a second without the shared state', () => {
  const resumed = { suspended: 1_000, resumed: 5_000 }
  const refused = (atMs: number, disturbed?: Disturbed) => found(atMs, 403, 'COMPANY_SUSPENDED', resumed, disturbed)
  expect(refused(4_000)).toBeNull()
  expect(refused(5_001)).toContain('was refused although it had been resumed')
  expect(refused(5_001, { isCutOff: true })).toBeNull()
  expect(refused(6_001, { isCutOff: true })).toContain('resumed')
  expect(refused(5_001, { store: [4_900, 5_100] })).toContain('resumed')
  expect(refused(6_001, { isCutOff: true, store: [5_100, 6_100] })).toBeNull()
})
