import { expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { FeedBatch } from '../../projections/runner/ports.ts'
import { BatchQueue } from './batchQueue.ts'

const batch = (partition: string): FeedBatch => ({ partition, after: BEGINNING, events: [], position: '1' as Position })
const owner = () => ({})

test('batches are taken in order, and each put resolves when its batch is taken', async () => {
  const queue = new BatchQueue()
  const put = ['a', 'b'].map((partition) => queue.put(owner(), batch(partition)))
  expect((await queue.take())?.partition).toBe('a')
  expect((await queue.take())?.partition).toBe('b')
  expect(await Promise.all(put)).toEqual([true, true])
})

test('taking waits until a batch is put', async () => {
  const queue = new BatchQueue()
  const taking = queue.take()
  void queue.put(owner(), batch('late'))
  expect((await taking)?.partition).toBe('late')
})

test('discarded batches are never taken', async () => {
  const queue = new BatchQueue()
  const [gone, stays] = [owner(), owner()]
  const dropped = queue.put(gone, batch('gone'))
  const kept = queue.put(stays, batch('stays'))
  queue.discard(gone)
  expect(await dropped).toBe(false)
  expect((await queue.take())?.partition).toBe('stays')
  expect(await kept).toBe(true)
})

test('closing the queue ends every wait', async () => {
  const queue = new BatchQueue()
  const taking = queue.take()
  const waiting = new BatchQueue()
  const put = waiting.put(owner(), batch('a'))
  queue.close()
  waiting.close()
  expect(await taking).toBeNull()
  expect(await put).toBe(false)
  expect(await waiting.take()).toBeNull()
  expect(await waiting.put(owner(), batch('b'))).toBe(false)
})

test('the first failure is thrown to the taker', async () => {
  const queue = new BatchQueue()
  queue.fail(new Error('first'))
  queue.fail(new Error('second'))
  await expect(queue.take()).rejects.toThrow('first')
})
