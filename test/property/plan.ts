import fc from 'fast-check'
import { AMOUNT_MICROS_MAX } from '../../domain/credits.ts'
import { TOKENS_PER_CALL_MAX } from '../../domain/ledger/decider.ts'
import { PAYMENT_ACTS, type PaymentAct } from './paymentSteps.ts'
import { WORK_ACTS, type WorkAct } from './workSteps.ts'

export const COMPANIES = 3
const NUMBERS = 4
const CALLS = 6
const KEYS = 3
const BOOKS = 3
const PEOPLE = 2

/** The subject of a command. The numbers are small, so that commands repeat and concern the same things. */
export type About = { readonly company: number; readonly number: number }

export type LedgerStep = About & { readonly kind: 'grant' | 'refund' | 'adjust' | 'charge' | 'fail' | 'reverse' }

export type Step = LedgerStep | ControlStep

/** A command of a decider that folds its stream. */
export type ControlStep = About &
  (
    | { readonly kind: 'register' }
    | { readonly kind: 'setHardCap'; readonly hardCap: boolean }
    | { readonly kind: 'assignRole' | 'removeUser' }
    | { readonly kind: 'suspend' | 'resume' | 'setNotice' }
    | { readonly kind: 'setBillingMode'; readonly billingMode: 'PREPAID' | 'POSTPAID' }
    | { readonly kind: 'mint' | 'rotate' | 'update' | 'revoke' | 'expire' }
    | { readonly kind: 'registerUser' | 'changePassword' | 'eraseUser' | 'registerTalent' | 'eraseTalent' }
    | { readonly kind: 'publish'; readonly effectiveFrom: string }
    | { readonly kind: 'pay'; readonly act: PaymentAct }
    | { readonly kind: 'score' }
    | { readonly kind: 'work'; readonly act: WorkAct }
  )

export type Plan = {
  /** Each lane is one caller after the other's answer; all lanes run at the same time. */
  readonly lanes: readonly (readonly { readonly step: Step; readonly times: number }[])[]
  readonly grantMicros: readonly bigint[]
  readonly refundMicros: readonly bigint[]
  readonly calls: readonly { readonly tokensIn: number; readonly tokensOut: number; readonly finishedAt: string }[]
  readonly rate: { readonly input: bigint; readonly output: bigint }
}

const times = fc.constantFrom(
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T00:00:59.999Z',
  '2026-03-01T00:59:59.999Z',
  '2026-03-01T01:00:00.000Z',
)
const amount = fc.bigInt({ min: 1n, max: AMOUNT_MICROS_MAX })
const tokens = fc.oneof(fc.nat(3), fc.nat(TOKENS_PER_CALL_MAX))
const company = fc.nat(COMPANIES - 1)
const of = <Kind extends Step['kind']>(kind: Kind, numbers: number) => ({
  kind: fc.constant(kind),
  company,
  number: fc.nat(numbers - 1),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record(of('grant', NUMBERS)), weight: 2 },
  { arbitrary: fc.record(of('refund', NUMBERS)), weight: 2 },
  { arbitrary: fc.record(of('adjust', NUMBERS)), weight: 2 },
  { arbitrary: fc.record(of('charge', CALLS)), weight: 5 },
  { arbitrary: fc.record(of('fail', CALLS)), weight: 2 },
  { arbitrary: fc.record(of('reverse', CALLS)), weight: 3 },
  fc.record(of('register', 1)),
  fc.record({ ...of('setHardCap', NUMBERS), hardCap: fc.boolean() }),
  fc.record(of('assignRole', PEOPLE)),
  fc.record(of('removeUser', PEOPLE)),
  fc.record(of('suspend', NUMBERS)),
  fc.record(of('resume', NUMBERS)),
  fc.record(of('setNotice', NUMBERS)),
  fc.record({ ...of('setBillingMode', NUMBERS), billingMode: fc.constantFrom('PREPAID', 'POSTPAID') }),
  { arbitrary: fc.record(of('mint', KEYS)), weight: 3 },
  fc.record(of('rotate', KEYS)),
  fc.record(of('update', KEYS)),
  fc.record(of('revoke', KEYS)),
  fc.record(of('expire', KEYS)),
  fc.record(of('registerUser', PEOPLE)),
  fc.record(of('changePassword', PEOPLE)),
  fc.record(of('eraseUser', PEOPLE)),
  fc.record(of('registerTalent', PEOPLE)),
  fc.record(of('eraseTalent', PEOPLE)),
  fc.record({ ...of('publish', BOOKS), effectiveFrom: times }),
  { arbitrary: fc.record({ ...of('pay', NUMBERS), act: fc.constantFrom(...PAYMENT_ACTS) }), weight: 6 },
  { arbitrary: fc.record(of('score', NUMBERS)), weight: 2 },
  { arbitrary: fc.record({ ...of('work', NUMBERS), act: fc.constantFrom(...WORK_ACTS) }), weight: 4 },
)

const lane = fc.array(fc.record({ step, times: fc.integer({ min: 1, max: 3 }) }), { maxLength: 20, size: 'max' })

export const plan: fc.Arbitrary<Plan> = fc.record({
  lanes: fc.array(lane, { minLength: 2, maxLength: 4, size: 'max' }),
  grantMicros: fc.array(amount, { minLength: NUMBERS, maxLength: NUMBERS }),
  refundMicros: fc.array(amount, { minLength: NUMBERS, maxLength: NUMBERS }),
  calls: fc.array(fc.record({ tokensIn: tokens, tokensOut: tokens, finishedAt: times }), {
    minLength: CALLS,
    maxLength: CALLS,
  }),
  rate: fc.record({ input: fc.bigInt({ min: 0n, max: 10n ** 12n }), output: fc.bigInt({ min: 0n, max: 10n ** 12n }) }),
})
