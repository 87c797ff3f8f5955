import { expect, test } from 'vitest'
import { positionOf } from '../commitPosition.ts'
import { RecentPositions } from './recentPositions.ts'

test('the latest positions are remembered, as many as asked for, and older ones are forgotten', () => {
  const recent = new RecentPositions(3)
  for (let commit = 0; commit < 20; commit++) {
    expect(recent.has(positionOf(commit))).toBe(false)
    recent.add(positionOf(commit))
    for (let before = Math.max(0, commit - 2); before <= commit; before++) {
      expect(recent.has(positionOf(before))).toBe(true)
    }
    if (commit >= 6) expect(recent.has(positionOf(commit - 6))).toBe(false)
  }
})
