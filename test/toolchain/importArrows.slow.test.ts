import path from 'node:path'
import { expect, test } from 'vitest'
import { readImportArrows } from '../../scripts/test/importArrows.ts'

const repository = path.resolve(import.meta.dirname, '../..')

// npm test checks the same in its part "arrows".
test('the check of the import arrows reads every module of this repository', async () => {
  const arrows = await readImportArrows(repository)
  expect(arrows.unread).toEqual([])
  expect(arrows.modules).toBeGreaterThan(20)
})
