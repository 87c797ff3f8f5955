import { expect, test } from 'vitest'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import { IndexesById } from './indexesById.ts'

test('the index of an event is found by its stream and id, even after the table has grown', () => {
  const indexes = new IndexesById()
  const ids = Array.from({ length: 5_000 }, (_, n) => deterministicId(`event ${n}`))
  for (const [n, id] of ids.entries()) expect(indexes.addOrFind('ledger-1', id, n)).toBeNull()
  for (const [n, id] of ids.entries()) expect(indexes.addOrFind('ledger-1', id, 0)).toBe(n)
  expect(indexes.addOrFind('ledger-2', ids[7] ?? '', 5_000)).toBeNull()
  expect(indexes.addOrFind('ledger-2', ids[7] ?? '', 0)).toBe(5_000)
})

test('an index that does not fit is refused', () => {
  expect(() => new IndexesById().addOrFind('ledger-1', 'a', 2 ** 32 - 1)).toThrow('a log index is at most 4294967294')
})
