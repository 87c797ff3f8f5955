import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { streamName } from '../../../contracts/streams.ts'
import { history } from '../../../test/support/events/history.ts'
import { charged, failed, granted, reversed } from '../../../test/support/events/ledgerEvents.ts'
import { DAYS_KEPT_MAX, DailyTokensView } from './dailyTokens.ts'

const companyId = randomUUID()
const DAY = '2026-03-01'

function recorded(event: LedgerEvent, id?: string) {
  const [one] = history(streamName('ledger', companyId), event)
  if (!one) throw new Error('no event')
  return { ...one, id: id ?? one.id }
}
const left = (tokensAbandoned: number, day = DAY, id?: string) =>
  recorded(failed(companyId, { tokensAbandoned, finishedAt: `${day}T12:00:00.000Z` }), id)

describe('the view of daily tokens', () => {
  test('starts from the read model and follows the events', () => {
    const view = new DailyTokensView()
    view.seed([{ day: DAY, companyId, tokensCharged: '1000', tokensAbandoned: '10' }])
    const charge = charged(companyId)
    for (const event of [charge, charged(companyId), granted(companyId), failed(companyId), reversed(charge)]) {
      view.apply(recorded(event))
    }
    view.apply(left(5))
    expect(view.tokensOf(companyId, DAY)).toEqual({ charged: 1_030, abandoned: 15 })
    expect(view.tokensOf(randomUUID(), DAY)).toEqual({ charged: 0, abandoned: 0 })
  })

  test('counts the tokens of this gateway before the feed delivers them, and then once', () => {
    const view = new DailyTokensView()
    view.expect('a', companyId, DAY, 7)
    view.expect('a', companyId, DAY, 7)
    view.expect('b', companyId, DAY, 100)
    expect(view.tokensOf(companyId, DAY).abandoned).toBe(107)
    view.apply(left(7, DAY, 'a'))
    expect(view.tokensOf(companyId, DAY).abandoned).toBe(107)
    view.forget('b')
    view.forget('b')
    expect(view.tokensOf(companyId, DAY).abandoned).toBe(7)
  })

  test('keeps days apart, even while a clock is ahead, and forgets the oldest beyond the limit', () => {
    const view = new DailyTokensView()
    view.apply(left(1, '2026-03-01'))
    view.expect('a', companyId, '2026-03-01', 10)
    view.apply(left(2, '2026-03-02'))
    expect(view.tokensOf(companyId, '2026-03-01').abandoned).toBe(11)
    expect(view.tokensOf(companyId, '2026-03-02').abandoned).toBe(2)
    view.apply(left(4, '2026-07-03'))
    view.apply(left(8, '2026-03-01'))
    view.forget('a')
    const abandoned = (day: string) => view.tokensOf(companyId, day).abandoned
    expect(['2026-03-01', '2026-03-02', '2026-07-03'].map(abandoned)).toEqual([9, 2, 4])
    for (let n = 1; n <= DAYS_KEPT_MAX - 2; n++) view.apply(left(1, `2026-08-0${n}`))
    view.apply(left(8, '2026-03-01'))
    expect(['2026-03-01', '2026-03-02', '2026-07-03'].map(abandoned)).toEqual([0, 2, 4])
  })

  test('counts an event once if the feed delivers it twice', () => {
    const view = new DailyTokensView({ idsAreUnique: false })
    for (let n = 0; n < 2; n++) view.apply(left(5, DAY, 'a'))
    expect(view.tokensOf(companyId, DAY).abandoned).toBe(5)
  })
})
