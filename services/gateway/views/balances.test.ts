import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../../contracts/envelope.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import { history } from '../../../test/support/events/history.ts'
import {
  adjusted,
  anchored,
  charged,
  expired,
  failed,
  granted,
  invoiceSettled,
  monthBilled,
  monthClosed,
  refunded,
  reinstated,
  reversed,
  withdrawn,
} from '../../../test/support/events/ledgerEvents.ts'
import { BalanceView } from './balances.ts'

const companyId = randomUUID()

const EVENTS: Readonly<Record<LedgerEvent['type'], (amountMicros: string) => LedgerEvent>> = {
  CreditsGranted: (amountMicros) => granted(companyId, { amountMicros }),
  CallCharged: (amountMicros) => charged(companyId, { amountMicros }),
  CallFailed: () => failed(companyId),
  ChargeReversed: (amountMicros) => reversed(charged(companyId, { amountMicros })),
  CreditsRefunded: (amountMicros) => refunded(companyId, { amountMicros }),
  CreditsAdjusted: (amountMicros) => adjusted(companyId, { amountMicros }),
  MonthClosed: () => monthClosed(companyId),
  MonthBilled: () => monthBilled(companyId),
  PriceBookAnchored: () => anchored(companyId),
  CreditsExpired: (amountMicros) => expired(companyId, { amountMicros }),
  CreditsWithdrawn: (amountMicros) => withdrawn(companyId, { amountMicros }),
  CreditsReinstated: (amountMicros) => reinstated(companyId, { amountMicros }),
  InvoiceSettled: (amountMicros) => invoiceSettled(companyId, { amountMicros }),
}

function event(id: string, type: LedgerEvent['type'], micros = 0n): Recorded<LedgerEvent> {
  const [recorded] = history(streamName('ledger', companyId), EVENTS[type](micros.toString()))
  if (!recorded) throw new Error(`no ${type} was made`)
  return { ...recorded, id }
}

describe('the view of balances', () => {
  test('the balance of an unknown company is zero', () => {
    expect(new BalanceView().balanceMicros('nobody')).toBe(0n)
  })

  test('balances start from the read model and follow the events', () => {
    const view = new BalanceView()
    view.seed([{ companyId, balanceMicros: '12345678901234567890' } as never])
    view.apply(event('a', 'CreditsGranted', 10n))
    view.apply(event('b', 'CallCharged', 3n))
    view.apply(event('c', 'ChargeReversed', 2n))
    view.apply(event('d', 'CreditsRefunded', 1n))
    view.apply(event('e', 'CallFailed'))
    view.apply(event('f', 'CreditsAdjusted', -8n))
    view.apply(event('i', 'MonthClosed'))
    view.apply(event('g', 'MonthBilled'))
    view.apply(event('j', 'PriceBookAnchored'))
    view.apply(event('h', 'InvoiceSettled', 4n))
    expect(view.balanceMicros(companyId)).toBe(12345678901234567894n)
  })

  test('a charge counts once, from the moment it is expected', () => {
    const view = new BalanceView()
    view.expect('a', companyId, -5n)
    expect(view.balanceMicros(companyId)).toBe(-5n)
    view.apply(event('a', 'CallCharged', 5n))
    expect(view.balanceMicros(companyId)).toBe(-5n)
  })

  test('an expected charge that was not stored, or that failed, no longer counts', () => {
    const view = new BalanceView()
    view.expect('a', companyId, -5n)
    view.forget('a')
    view.forget('a')
    view.expect('b', companyId, -7n)
    view.apply(event('b', 'CallFailed'))
    expect(view.balanceMicros(companyId)).toBe(0n)
  })

  test('an event that the feed delivers twice counts once, and clears its expectation each time', () => {
    const view = new BalanceView({ idsAreUnique: false })
    view.expect('a', companyId, -5n)
    for (let n = 0; n < 3; n++) view.apply(event('a', 'CallCharged', 5n))
    view.apply(event('b', 'CreditsGranted', 7n))
    view.expect('b', companyId, 7n)
    view.apply(event('b', 'CreditsGranted', 7n))
    expect(view.balanceMicros(companyId)).toBe(2n)
  })

  test('for a call stored as failed and as charged, the first event counts', () => {
    const view = new BalanceView({ idsAreUnique: false })
    view.apply(event('a', 'CallFailed'))
    view.apply(event('a', 'CallCharged', 5n))
    expect(view.balanceMicros(companyId)).toBe(0n)
  })

  test.each([true, false])(
    'in whatever order charges are expected, forgotten and stored, equals what is stored plus what is open (ids unique: %s)',
    (idsAreUnique) => {
      const step = fc.record({
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        what: fc.constantFrom('expect', 'forget', 'apply'),
      })
      fc.assert(
        fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
          const view = new BalanceView({ idsAreUnique })
          const open = new Set<string>()
          const counted = new Set<string>()
          let stored = 0n
          for (const { id, what } of steps) {
            if (what === 'expect' && !open.has(id)) {
              view.expect(id, companyId, -5n)
              open.add(id)
            } else if (what === 'forget') {
              view.forget(id)
              open.delete(id)
            } else if (what === 'apply') {
              view.apply(event(id, 'CallCharged', 5n))
              open.delete(id)
              if (idsAreUnique || !counted.has(id)) stored -= 5n
              counted.add(id)
            }
            expect(view.balanceMicros(companyId)).toBe(stored - 5n * BigInt(open.size))
          }
        }),
      )
    },
  )
})
