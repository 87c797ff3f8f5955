import { expect, test } from 'vitest'
import { charged, granted } from '../../support/events/ledgerEvents.ts'
import { type AnsweredCommand, commandsWrong } from './commands.ts'
import { storedStream } from './storedStream.ts'

const COMPANY = '11111111-1111-4111-8111-111111111111'
const charge = charged(COMPANY)
const stored = (count: number) => storedStream(`ledger-${COMPANY}`, ...Array.from({ length: count }, () => charge))

function asked(outcome: AnsweredCommand['outcome'], changes: Partial<AnsweredCommand> = {}): AnsweredCommand {
  const ids = { companyId: COMPANY, callId: charge.data.callId }
  return { kind: 'ChargeCall', ids, input: null, outcome, answer: null, ...changes }
}

test.for<[AnsweredCommand['outcome'], number, boolean]>([
  ['done', 0, false],
  ['done', 1, true],
  ['done', 2, false],
  ['refused', 0, true],
  ['refused', 1, false],
  ['unknown', 0, true],
  ['unknown', 1, true],
  ['unknown', 2, false],
])('a command that is %s may be carried out %i times: %s', ([outcome, count, isRight]) => {
  expect(commandsWrong([asked(outcome)], stored(count)) === null).toBe(isRight)
})

test('a command that is repeated under its key is carried out once', () => {
  const grant = granted(COMPANY, { reason: 'a gift' })
  const again = asked('unknown', { kind: 'grantCredits', input: { reason: 'a gift' } })
  const done = { ...again, outcome: 'done' } as const
  expect(commandsWrong([again, done], storedStream(`ledger-${COMPANY}`, grant))).toBeNull()
  expect(commandsWrong([again, done], storedStream(`ledger-${COMPANY}`, grant, grant))).toContain('there are 2')
})
