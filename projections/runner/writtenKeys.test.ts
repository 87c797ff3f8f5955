import { expect, test } from 'vitest'
import { WrittenKeys } from './writtenKeys.ts'

const KEYS = 200_000
const keyOf = (n: number) => `company ${n % 7}\0minute\x002026-01-${n}`

test('an added key is never mistaken for a new one, and a new key rarely for an added one', () => {
  const written = new WrittenKeys()
  let falseAlarms = 0
  for (let n = 0; n < KEYS; n++) if (written.add(keyOf(n))) falseAlarms++
  for (let n = 0; n < KEYS; n++) if (!written.add(keyOf(n))) throw new Error(`key ${n} was forgotten`)
  expect(falseAlarms).toBeLessThan(KEYS / 1_000)
})
