import { expect, test } from 'vitest'
import { FairShare } from './fairShare.ts'

/** How many places each holder gets if all of them ask for as many as they can, in turns. */
function greedy(share: FairShare, holders: readonly string[]): number[] {
  const got = holders.map(() => 0)
  for (let isAny = true; isAny; ) {
    isAny = false
    for (const [n, holder] of holders.entries()) {
      if (share.take(holder, 1) !== 'taken') continue
      got[n] = (got[n] ?? 0) + 1
      isAny = true
    }
  }
  return got
}

test.each([
  [['a'], [60], 60],
  [['a', 'b'], [40, 40], 40],
  [['a', 'b', 'c'], [30, 30, 30], 30],
])('holders %s that ask for everything get %s of 120 and leave %i free', (holders, expected, free) => {
  const share = new FairShare(120)
  expect(greedy(share, holders)).toEqual(expected)
  expect(120 - share.used).toBe(free)
  expect(share.take(holders[0] as string, 1)).toBe('share used up')
  expect(share.take('newcomer', 1)).toBe('taken')
})

test('a holder without a share gets everything, and then none is left for others', () => {
  const share = new FairShare(3)
  for (let n = 0; n < 3; n++) expect(share.take(null, 1)).toBe('taken')
  expect(share.take(null, 1)).toBe('full')
  expect(share.take('a', 1)).toBe('full')
})

test('what is given back can be taken again, by others too', () => {
  const share = new FairShare(100)
  expect(share.take('a', 50)).toBe('taken')
  expect(share.take('b', 26)).toBe('taken')
  expect(share.take('b', 1)).toBe('share used up')
  share.give('a', 50)
  expect(share.used).toBe(26)
  expect(share.take('b', 24)).toBe('taken')
  share.give('b', 50)
  expect(share.used).toBe(0)
  expect(share.take('a', 100)).toBe('taken')
})

test('a limit of one goes to a single holder', () => {
  const share = new FairShare(1)
  expect(share.take('a', 1)).toBe('taken')
  expect(share.take('b', 1)).toBe('full')
})
