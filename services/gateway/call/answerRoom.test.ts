import { expect, test } from 'vitest'
import { FairShare } from '../../../platform/http/limits/fairShare.ts'
import { AnswerRoom } from './answerRoom.ts'

const ORDINARY = { ordinaryMax: 100, repeats: 1 }

test('a part may have its ordinary size, six times the request, and what was delivered', () => {
  const room = new AnswerRoom(new FairShare(10_000), 'acme', 10)
  const part = room.part(ORDINARY)
  expect([part(100), part(160), part(161)]).toEqual([true, true, false])
  room.delivered(40)
  expect([part(200), part(201)]).toEqual([true, false])
  expect(room.part({ ordinaryMax: 100, repeats: 4 })(320)).toBe(true)
})

test('bytes beyond the ordinary size come from a shared budget and are returned when the answer ends', () => {
  const budget = new FairShare(120)
  const rooms = ['acme', 'acme', 'other'].map((company) => new AnswerRoom(budget, company, 1_000))
  const [first, second, third] = rooms.map((room) => room.part(ORDINARY))
  expect([first?.(120), first?.(150), first?.(150)]).toEqual([true, true, true])
  expect(budget.used).toBe(50)
  expect([second?.(100), second?.(171)]).toEqual([true, false])
  expect(third?.(130)).toBe(true)
  for (const room of rooms) room.release()
  for (const room of rooms) room.release()
  expect(budget.used).toBe(0)
})

test('a non-streamed answer has a larger limit only if its request would not fit into the ordinary one', () => {
  const budget = new FairShare(1_000)
  expect(new AnswerRoom(budget, 'acme', 16).wholeMax(100)).toBe(100)
  const room = new AnswerRoom(budget, 'acme', 50)
  expect(room.wholeMax(100)).toBe(400)
  expect(budget.used).toBe(300)
  // Its share of the budget is used up.
  expect(new AnswerRoom(budget, 'acme', 100).wholeMax(100)).toBe(100)
  room.release()
  expect(budget.used).toBe(0)
})
