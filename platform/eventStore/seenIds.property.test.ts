import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { SeenIds } from './seenIds.ts'

test('recognises the same ids as a set of them, including ids that differ in one digit', () => {
  const near = fc.tuple(fc.nat(35), fc.constantFrom(...'0123456789abcdef')).map(([place, digit]) => {
    const zeros = '00000000-0000-0000-0000-000000000000'
    return zeros[place] === '-' ? zeros : zeros.slice(0, place) + digit + zeros.slice(place + 1)
  })
  fc.assert(
    fc.property(
      fc.array(fc.oneof(near, fc.uuid(), fc.constantFrom('first', 'FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF')), {
        maxLength: 200,
      }),
      (ids) => {
        const [seen, known] = [new SeenIds(), new Set<string>()]
        for (const id of [...ids, ...ids]) {
          expect(seen.isRepeated(id)).toBe(known.has(id))
          known.add(id)
        }
      },
    ),
    { numRuns: propertyRuns({ few: 30, many: 200 }) },
  )
})

test('recognises twenty thousand ids, in at most 30 bytes each', () => {
  const seen = new SeenIds()
  const ids = Array.from({ length: 20_000 }, () => randomUUID())
  expect(ids.filter((id) => seen.isRepeated(id))).toEqual([])
  expect(ids.filter((id) => !seen.isRepeated(id))).toEqual([])
  expect(seen.bytes / ids.length).toBeLessThanOrEqual(30)
})
