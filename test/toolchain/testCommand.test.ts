import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { closingLine, formatTable } from '../../scripts/test/closing.ts'
import { judge, runVitest } from '../../scripts/test/runVitest.ts'
import { plantTree } from './plantedTree.ts'

const installed = path.resolve(import.meta.dirname, '../../node_modules')

const runPlanted = async (files: Record<string, string>) => {
  using tree = plantTree({ 'package.json': '{ "type": "module" }', ...files })
  symlinkSync(installed, path.join(tree.root, 'node_modules'))
  return await runVitest({ root: tree.root, filters: [], output: 'ignore' })
}

const file = (...lines: string[]) => ["import { beforeAll, describe, expect, test } from 'vitest'", ...lines].join('\n')
const passing = "test('holds', () => {})"

describe('the test command', { timeout: 60_000 }, () => {
  test('counts what passed and what failed', async () => {
    const outcome = await runPlanted({
      'a.test.ts': file(passing, "test('breaks', () => expect(1).toBe(2))"),
      'b.test.ts': file(passing),
    })
    expect(outcome).toEqual({ passed: 2, failed: 1, skipped: [], faults: [] })
  })

  test('fails when no test was found', async () => {
    const { passed, failed } = await runPlanted({
      'vitest.config.ts': 'export default { test: { passWithNoTests: true } }',
    })
    expect({ passed, failed }).toEqual({ passed: 0, failed: 1 })
  })

  test('fails on an error that belongs to no test', async () => {
    const outcome = await runPlanted({
      'a.test.ts': file("test('leaves a rejection behind', () => { Promise.reject(new Error('stray')) })"),
    })
    expect(outcome).toMatchObject({ passed: 1, failed: 1, faults: [expect.stringContaining('belong to no test')] })
  })

  test('fails when a file cannot be loaded, or its hook fails', async () => {
    const outcome = await runPlanted({
      'a.test.ts': file(passing),
      'b.test.ts': file("import './absent.ts'", passing),
      'c.test.ts': file(
        "describe('all', () => { beforeAll(() => { throw new Error('no') }); test('never runs', () => {}) })",
      ),
    })
    expect(outcome).toMatchObject({ passed: 1, failed: 2 })
    expect(outcome.faults.map((fault) => fault.slice(0, 9)).sort()).toEqual(['b.test.ts', 'c.test.ts'])
    expect(outcome.skipped).toEqual([{ name: 'c.test.ts > all > never runs', reason: expect.any(String) }])
  })

  test('fails when vitest crashes', async () => {
    const outcome = await runPlanted({
      'a.test.ts': file(passing),
      'vitest.config.ts': "export default { test: { globalSetup: './setup.ts' } }",
      'setup.ts': 'export const setup = () => process.exit(0)',
    })
    expect(outcome).toMatchObject({ passed: 0, failed: 1 })
  })

  test('fails when a global teardown fails', async () => {
    const outcome = await runPlanted({
      'a.test.ts': file(passing),
      'vitest.config.ts': "export default { test: { globalSetup: './setup.ts' } }",
      'setup.ts': "export const teardown = () => { throw new Error('Postgres stayed') }",
    })
    expect(outcome).toMatchObject({ passed: 1, failed: 1 })
  })

  test('takes a skipped test with its reason, and fails on one without', async () => {
    const outcome = await runPlanted({
      'a.test.ts': file(
        passing,
        "test('needs Docker', (context) => context.skip('no Docker engine'))",
        "test.skip('says nothing', () => {})",
      ),
    })
    expect(outcome).toEqual({
      passed: 1,
      failed: 1,
      skipped: [
        { name: 'a.test.ts > needs Docker', reason: 'no Docker engine' },
        { name: 'a.test.ts > says nothing', reason: undefined },
      ],
      faults: [expect.stringContaining('a.test.ts > says nothing')],
    })
  })

  test('fails when vitest reports success and ends with another code', () => {
    const run = { passed: 1, failed: 0, skipped: [], brokenFiles: [], strayErrors: 0 }
    expect(judge(run, 0).failed).toBe(0)
    expect(judge(run, 1)).toMatchObject({ failed: 1, faults: ['vitest ended with 1'] })
  })

  test('closes with the totals', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(closingLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
    expect(
      formatTable([
        ['part', 's'],
        ['arrows', '1.2'],
      ]),
    ).toBe('part    s\narrows  1.2')
  })
})
