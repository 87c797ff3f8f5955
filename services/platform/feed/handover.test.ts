import { expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { FeedBatch } from '../../../projections/runner/ports.ts'
import { Handover } from './handover.ts'

const batch = (partition: string): FeedBatch => ({ partition, after: BEGINNING, events: [], position: '1' as Position })
const owner = () => ({})

test('batches are taken in the order in which they came, and their givers are told', async () => {
  const handover = new Handover()
  const given = ['a', 'b'].map((partition) => handover.give(owner(), batch(partition)))
  expect((await handover.take())?.partition).toBe('a')
  expect((await handover.take())?.partition).toBe('b')
  expect(await Promise.all(given)).toEqual([true, true])
})

test('who takes waits until something comes', async () => {
  const handover = new Handover()
  const taking = handover.take()
  void handover.give(owner(), batch('late'))
  expect((await taking)?.partition).toBe('late')
})

test('what a dismissed owner has brought is never taken', async () => {
  const handover = new Handover()
  const [gone, stays] = [owner(), owner()]
  const dropped = handover.give(gone, batch('gone'))
  const kept = handover.give(stays, batch('stays'))
  handover.dismiss(gone)
  expect(await dropped).toBe(false)
  expect((await handover.take())?.partition).toBe('stays')
  expect(await kept).toBe(true)
})

test('closed, it lets go of everybody', async () => {
  const handover = new Handover()
  const taking = handover.take()
  const waiting = new Handover()
  const given = waiting.give(owner(), batch('a'))
  handover.close()
  waiting.close()
  expect(await taking).toBeNull()
  expect(await given).toBe(false)
  expect(await waiting.take()).toBeNull()
  expect(await waiting.give(owner(), batch('b'))).toBe(false)
})

test('a failure is told to who takes, the first one only', async () => {
  const handover = new Handover()
  handover.fail(new Error('first'))
  handover.fail(new Error('second'))
  await expect(handover.take()).rejects.toThrow('first')
})
