import { expect, test } from 'vitest'
import { lastTries } from './tries.ts'

const PASSED = { passed: true, isDisturbed: false }
const FAILED = { passed: false, isDisturbed: false }
const DISTURBED = { passed: false, isDisturbed: true }

async function tried(outcomes: Readonly<Record<string, readonly (typeof PASSED)[]>>) {
  const order: string[] = []
  const measure = async ({ name }: { name: string }) => {
    const before = order.filter((each) => each === name).length
    order.push(name)
    return [outcomes[name]?.[before] ?? PASSED]
  }
  const names = Object.keys(outcomes).map((name) => ({ name }))
  const found = await lastTries(names, measure, () => {})
  return { order, found: found.map(({ passed, tries }) => ({ passed, tries })) }
}

test('an attack that failed once is measured again after the others', async () => {
  const { order, found } = await tried({ one: [FAILED, PASSED], two: [PASSED] })
  expect(order).toEqual(['one', 'two', 'one'])
  expect(found).toEqual([
    { passed: true, tries: 1 },
    { passed: true, tries: 2 },
  ])
})

test('an attack that fails twice has failed, even with a disturbed try in between', async () => {
  const { found } = await tried({ one: [FAILED, DISTURBED, FAILED, PASSED] })
  expect(found).toEqual([{ passed: false, tries: 3 }])
})

test('an attack that is always disturbed has failed in the end', async () => {
  const { found } = await tried({ one: Array(10).fill(DISTURBED) })
  expect(found).toEqual([{ passed: false, tries: 6 }])
})
