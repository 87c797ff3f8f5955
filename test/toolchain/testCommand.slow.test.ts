import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { PASSING_TEST, runPlanted, testFile } from './plantedTests.ts'

describe('a test command', () => {
  test('fails when no test was found', async () => {
    const { passed, failed } = await runPlanted({
      'vitest.config.ts': 'export default { test: { passWithNoTests: true } }',
    })
    expect({ passed, failed }).toEqual({ passed: 0, failed: 1 })
  })

  test('fails on an error that belongs to no test', async () => {
    const outcome = await runPlanted({
      'a.test.ts': testFile("test('leaves a rejection behind', () => { Promise.reject(new Error('stray')) })"),
    })
    expect(outcome).toMatchObject({ passed: 1, failed: 1, faults: [expect.stringContaining('belong to no test')] })
  })

  test('fails when a file cannot be loaded, or its hook fails', async () => {
    const outcome = await runPlanted({
      'a.test.ts': testFile(PASSING_TEST),
      'b.test.ts': testFile("import './absent.ts'", PASSING_TEST),
      'c.test.ts': testFile(
        "describe('all', () => { beforeAll(() => { throw new Error('no') }); test('never runs', () => {}) })",
      ),
    })
    expect(outcome).toMatchObject({ passed: 1, failed: 2 })
    expect(outcome.faults.map((fault) => fault.slice(0, 9)).sort()).toEqual(['b.test.ts', 'c.test.ts'])
    expect(outcome.skipped).toEqual([{ name: 'c.test.ts > all > never runs', reason: expect.any(String) }])
  })

  describe('with a test that runs out of time at the first try', () => {
    const late =
      "let tries = 0\ntest('is late once', () => { tries += 1; if (tries < 2) throw new Error('not within 5 ms') })"
    const runWith = (retry: string) =>
      runPlanted({
        'a.test.ts': testFile(PASSING_TEST, late),
        'vitest.config.ts': [
          `process.env.CI_RETRY = '${retry}'`,
          `const { SHARED } = await import('${path.resolve('scripts/test/vitestSettings.ts')}')`,
          'export default { test: { retry: SHARED.retry } }',
        ].join('\n'),
      })

    test('fails', async () => {
      expect(await runWith('')).toMatchObject({ passed: 1, failed: 1, retried: [] })
    })

    test('tries it again with CI_RETRY=once, and names it', async () => {
      const retried = ['a.test.ts > is late once']
      expect(await runWith('once')).toEqual({ passed: 2, failed: 0, skipped: [], retried, faults: [] })
    })
  })

  test('names what was running when it was stopped', async () => {
    const outcome = await runPlanted({
      'a.test.ts': testFile(
        PASSING_TEST,
        "test('hangs', async () => { process.kill(process.ppid, 'SIGTERM'); await new Promise(() => {}) })",
        "test('never starts', () => {})",
      ),
    })
    // The file, if vitest has not yet reported that the test began.
    const fault = expect.stringMatching(/^a\.test\.ts( > hangs)?: was still running when the run was stopped$/)
    expect(outcome).toMatchObject({ failed: 1, faults: [fault] })
  })

  test('fails when vitest crashes', async () => {
    const outcome = await runPlanted({
      'a.test.ts': testFile(PASSING_TEST),
      'vitest.config.ts': "export default { test: { globalSetup: './setup.ts' } }",
      'setup.ts': 'export const setup = () => process.exit(0)',
    })
    expect(outcome).toMatchObject({ passed: 0, failed: 1 })
  })

  test('fails when a global teardown fails', async () => {
    const outcome = await runPlanted({
      'a.test.ts': testFile(PASSING_TEST),
      'vitest.config.ts': "export default { test: { globalSetup: './setup.ts' } }",
      'setup.ts': "export const teardown = () => { throw new Error('Postgres stayed') }",
    })
    expect(outcome).toMatchObject({ passed: 1, failed: 1 })
  })

  test('accepts a skipped test with a reason and fails on one without', async () => {
    const outcome = await runPlanted({
      'a.test.ts': testFile(
        PASSING_TEST,
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
      retried: [],
      faults: [expect.stringContaining('a.test.ts > says nothing')],
    })
  })
})
