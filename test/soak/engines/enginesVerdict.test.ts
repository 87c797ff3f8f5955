import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { charged, reversed } from '../../support/events/ledgerEvents.ts'
import type { LoggedCall } from '../../support/parties/recordingProvider.ts'
import { judgeKill, judgeLedgers } from './enginesVerdict.ts'
import type { Ledger } from './fleetBooks.ts'
import type { Kill } from './kills.ts'
import type { SoakCall } from './steadyLoad.ts'
import type { Silence } from './storeProbe.ts'
import type { Victim } from './victims.ts'

const callId = 'c0ffee00-0000-4000-8000-000000000001'
const usage = { tokensIn: 7, tokensOut: 3 }
const at = 1_000_000
const victim: Victim = { name: 'Redis', kill: async () => 'Redis', back: async () => {} }
const kill: Kill = {
  victim,
  killed: 'Redis',
  beganAt: at,
  killedAt: at,
  backAt: at + 5_000,
  recoveredAt: at + 6_000,
  caughtUpAt: at + 7_000,
  revokedAt: at + 500,
  refusals: [0, 40, 900],
  refusedMsMax: 1_000,
  takenOverAt: null,
  takenOverMsMax: 5_000,
}
const whole: SoakCall = {
  marker: 'call 1',
  streamed: false,
  status: 200,
  callId,
  whole: true,
  gateway: 1,
  sentAt: at + 100,
  endedAt: at + 200,
}
const refused: SoakCall = { ...whole, status: 503, whole: false }

function faultsOf(
  changes: Partial<Kill>,
  calls: readonly SoakCall[] = [whole],
  silences: readonly Silence[] = [],
): string[] {
  const one = { ...kill, ...changes }
  return judgeKill(one, calls, [one], silences).flatMap(({ name, passed }) => (passed ? [] : [name]))
}

describe('the checks of a kill', () => {
  test('pass if every rule held', () => expect(faultsOf({})).toEqual([]))

  const breaches: [string, Partial<Kill>, SoakCall[], RegExp][] = [
    ['a call that failed beside it', {}, [whole, refused], /calls go on/],
    ['calls that were not answered again', { recoveredAt: null }, [whole], /calls go on/],
    ['calls that were answered late', { recoveredAt: at + 60_000 }, [whole], /calls go on/],
    ['a gateway that took the key for too long', { refusals: [0, 1_001, 0] }, [whole], /revoked/],
    ['a gateway that took the key to the end', { refusals: [0, Number.POSITIVE_INFINITY, 0] }, [whole], /revoked/],
    ['a gateway that was never asked', { refusals: [0, null, 0] }, [whole], /revoked/],
    ['read models that stayed behind', { caughtUpAt: null }, [whole], /catch up/],
    ['a relay that no other one replaced', { killed: 'relay 1', takenOverAt: null }, [whole], /another leads/],
    ['a relay that was followed late', { killed: 'relay 1', takenOverAt: at + 5_001 }, [whole], /another leads/],
  ]
  test.each(breaches)('with %s', (_, changes, calls, name) => {
    expect(faultsOf(changes, calls)).toEqual([expect.stringMatching(name)])
  })

  test('of a gateway excuse calls sent to it until calls are answered again', () => {
    const gateway = { ...victim, gateway: 1 }
    expect(faultsOf({ victim: gateway }, [refused])).toEqual([])
    expect(faultsOf({ victim: gateway }, [{ ...refused, gateway: 2 }])).toHaveLength(1)
    expect(faultsOf({ victim: gateway }, [{ ...refused, sentAt: at + 6_001, endedAt: at + 6_100 }])).toHaveLength(1)
  })

  test('excuse calls that were refused because the store was silent, and no others', () => {
    const unstored = { ...refused, message: 'Charges cannot be stored at present' }
    const silence = { from: at, to: at + 3_000 }
    expect(faultsOf({}, [unstored], [silence])).toEqual([])
    expect(faultsOf({}, [refused], [silence])).toHaveLength(1)
    expect(faultsOf({}, [{ ...unstored, sentAt: at + 4_001, endedAt: at + 4_100 }], [silence])).toHaveLength(1)
    expect(faultsOf({}, [unstored])).toHaveLength(1)
  })

  test('of the store excuse every call of that time', () => {
    expect(faultsOf({ victim: { ...victim, isStore: true } }, [refused, { ...refused, gateway: 2 }])).toEqual([])
  })
})

describe('the ledgers', () => {
  const log: LoggedCall[] = [{ marker: 'call 1', callId, streamed: false, usage, completedAtMs: 1 }]
  const charge = charged('a company', { callId, ...usage })
  const ledger = (...events: LedgerEvent[]): Ledger => ({ companyId: 'a company', events, copies: 0 })
  const faults = (calls: SoakCall[], one: Ledger) =>
    judgeLedgers({ calls, ledgers: [one], log }).checks.flatMap(({ name, passed }) => (passed ? [] : [name]))

  test('pass if each whole response is charged once', () => {
    expect(faults([whole], ledger(charge))).toEqual([])
  })
  test('with a whole response that is not charged', () => {
    expect(faults([whole], ledger())).toEqual([expect.stringMatching(/charged once/)])
  })
  test('with a call that is charged twice', () => {
    expect(faults([whole], ledger(charge, charge))).toEqual([expect.stringMatching(/charged once/)])
  })
  test('with a charge for a call whose caller was told that it failed, until it is reversed', () => {
    expect(faults([refused], ledger(charge))).toEqual([expect.stringMatching(/told that it failed/)])
    expect(faults([refused], ledger(charge, reversed(charge)))).toEqual([])
  })
})
