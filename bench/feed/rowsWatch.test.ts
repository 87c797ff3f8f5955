import { expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import type { Engines } from '../../platform/engines.ts'
import { RowsWatch } from './rowsWatch.ts'

/** Answers one poll after the other, repeating the last answer. */
function lookingAt(...looks: Record<string, string>[]) {
  let looked = 0
  const query = async () => {
    const look = looks[Math.min(looked++, looks.length - 1)] ?? {}
    return Object.entries(look).map(([partition, position]) => ({ partition, position }))
  }
  const feed = { partitionOf: (stream: string) => stream.replace('stream', 'partition') }
  const engines = { database: { query }, feed } as unknown as Engines
  return { watch: new RowsWatch(engines), looked: () => looked }
}

test('an event is seen when its own partition has reached it', async () => {
  const { watch, looked } = lookingAt({}, { 'partition a': '5' }, { 'partition a': '5', 'partition b': '3' })
  const seen: string[] = []
  watch.expect('stream b', '3' as Position, () => seen.push(`b in look ${looked()}`))
  watch.expect('stream a', '4' as Position, () => seen.push(`a in look ${looked()}`))
  await watch.during(Promise.resolve())
  expect(seen).toEqual(['a in look 2', 'b in look 3'])
})

test('it polls until the work is done, and fails with the work', async () => {
  const { watch } = lookingAt({ 'partition a': '9' })
  const seen: number[] = []
  const work = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    watch.expect('stream a', '1' as Position, (atMs) => seen.push(atMs))
  }
  await watch.during(work())
  expect(seen).toHaveLength(1)
  await expect(watch.during(Promise.reject(new Error('the store is away')))).rejects.toThrow('the store is away')
})
