import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { plantTree } from './plantedTree.ts'

const PROGRAMS = 'redis-server java mvn chromium openssl go pip3 prometheus promtool'.split(' ')

/** Runs `.ci/run` with an npm that prints the lines of a part and its closing line, and with nothing to install. */
function runCi(linesByPart: Readonly<Record<string, readonly string[]>>) {
  const cases = Object.entries(linesByPart).map(
    ([part, lines]) => `  "${part}") printf '%s\\n' '${lines.join("' '")}' ;;`,
  )
  const npm = [
    '#!/usr/bin/env bash',
    'case "$*" in',
    ...cases,
    'esac',
    'echo "retry: $CI_RETRY"',
    'echo "1 passed, 0 failed"',
  ]
  const programs = Object.fromEntries(PROGRAMS.map((name) => [`bin/${name}`, '']))
  using tree = plantTree({ ...programs, 'bin/npm': npm.join('\n') })
  cpSync(path.resolve('.ci/run'), path.join(tree.root, '.ci/run'))
  for (const name of [...PROGRAMS, 'npm']) chmodSync(path.join(tree.root, 'bin', name), 0o755)
  const PATH = [path.join(tree.root, 'bin'), process.env.PATH].join(path.delimiter)
  const { status, stdout } = spawnSync('bash', [path.join(tree.root, '.ci/run')], {
    encoding: 'utf8',
    env: { PATH, ESDB_SERVER: 'none' },
  })
  return { status, lines: stdout.trimEnd().split('\n') }
}

const late = (n: number) => `passed at the second try: slow: ${n}.test.ts > is late once`

test('tests that ran out of time are tried again in every part, and named at the end', () => {
  const { status, lines } = runCi({ test: [late(1)], 'run test:slow': [late(2)] })
  expect(lines.slice(-5)).toEqual([
    late(1),
    late(2),
    expect.stringContaining('not run: eventstore'),
    '',
    '8 passed, 0 failed',
  ])
  expect(lines.filter((line) => line === 'retry: once').length).toBeGreaterThanOrEqual(8)
  expect(status).toBe(0)
})

test('more than two tests that passed only at the second try fail the run', () => {
  const { status, lines } = runCi({ test: [late(1)], 'run test:slow': [late(2)], 'run test:browser': [late(3)] })
  expect(lines).toContain('failed: 3 tests passed only at the second try, at most 2 may')
  expect(lines).toContain(late(3))
  expect(lines.at(-1)).toBe('8 passed, 1 failed')
  expect(status).toBe(1)
})
