import { expect, test } from 'vitest'
import { closingLine, formatTable } from '../../scripts/test/closing.ts'
import { judge } from '../../scripts/test/runVitest.ts'
import { PASSING_TEST, runPlanted, testFile } from './plantedTests.ts'

test('a test command counts what passed and what failed', async () => {
  const outcome = await runPlanted({
    'a.test.ts': testFile(PASSING_TEST, "test('breaks', () => expect(1).toBe(2))"),
    'b.test.ts': testFile(PASSING_TEST),
  })
  expect(outcome).toEqual({
    passed: 2,
    failed: 1,
    skipped: [],
    retried: [],
    faults: ['a.test.ts > breaks: expected 1 to be 2 // Object.is equality'],
  })
})

test('a test command fails when vitest reports success and ends with another code', () => {
  const run = { passed: 1, failed: [], skipped: [], retried: [], brokenFiles: [], strayErrors: 0 }
  expect(judge(run, 0).failed).toBe(0)
  expect(judge(run, 1)).toMatchObject({ failed: 1, faults: ['vitest ended with 1'] })
})

test('a test command ends with the totals', () => {
  expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(closingLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  expect(
    formatTable([
      ['part', 's'],
      ['arrows', '1.2'],
    ]),
  ).toBe('part    s\narrows  1.2')
})
