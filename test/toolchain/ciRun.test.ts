import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { plantTree } from './plantedTree.ts'

const PROGRAMS = 'redis-server java mvn chromium openssl go pip3 prometheus promtool'.split(' ')

type Host = {
  /** Of 100 ticks that pass during each part, the host takes away so many. */
  readonly stolenPercent?: number
  /** A part that fails the first time. */
  readonly failsOnce?: string
}

/** Runs `.ci/run` with an npm that prints the lines of a part and its closing line, and with nothing to install. */
function runCi(
  linesByPart: Readonly<Record<string, readonly string[]>>,
  { stolenPercent = 0, failsOnce = 'none' }: Host = {},
) {
  const cases = Object.entries(linesByPart).map(
    ([part, lines]) => `  "${part}") printf '%s\\n' '${lines.join("' '")}' ;;`,
  )
  const npm = [
    '#!/usr/bin/env bash',
    'read -r _ _ _ _ idle _ _ _ stolen _ <"$PROC_STAT"',
    `echo "cpu 0 0 0 $((idle + ${100 - stolenPercent})) 0 0 0 $((stolen + ${stolenPercent})) 0 0" >"$PROC_STAT"`,
    `if [ "$*" = "${failsOnce}" ] && mkdir "$PROC_STAT.failed" 2>/dev/null; then`,
    '  printf "%s\\n" "FAIL calls go on" "0 passed, 1 failed"',
    '  exit 1',
    'fi',
    'case "$*" in',
    ...cases,
    'esac',
    'echo "retry: $CI_RETRY"',
    'echo "1 passed, 0 failed"',
  ]
  const programs = Object.fromEntries(PROGRAMS.map((name) => [`bin/${name}`, '']))
  using tree = plantTree({ ...programs, 'bin/npm': npm.join('\n'), stat: 'cpu 0 0 0 0 0 0 0 0 0 0\n' })
  cpSync(path.resolve('.ci/run'), path.join(tree.root, '.ci/run'))
  for (const name of [...PROGRAMS, 'npm']) chmodSync(path.join(tree.root, 'bin', name), 0o755)
  const PATH = [path.join(tree.root, 'bin'), process.env.PATH].join(path.delimiter)
  const { status, stdout } = spawnSync('bash', [path.join(tree.root, '.ci/run')], {
    encoding: 'utf8',
    env: { PATH, ESDB_SERVER: 'none', PROC_STAT: path.join(tree.root, 'stat') },
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
    '10 passed, 0 failed',
  ])
  expect(lines.filter((line) => line === 'retry: once').length).toBeGreaterThanOrEqual(9)
  expect(status).toBe(0)
})

test('more than two tests that passed only at the second try fail the run', () => {
  const { status, lines } = runCi({ test: [late(1)], 'run test:slow': [late(2)], 'run test:browser': [late(3)] })
  expect(lines).toContain('failed: 3 tests passed only at the second try, at most 2 may')
  expect(lines).toContain(late(3))
  expect(lines.at(-1)).toBe('10 passed, 1 failed')
  expect(status).toBe(1)
})

test('if the host took the processor away, any number may pass at the second try', () => {
  const parts = { test: [late(1)], 'run test:slow': [late(2)], 'run test:browser': [late(3)] }
  expect(runCi(parts, { stolenPercent: 20 })).toMatchObject({ status: 0 })
  expect(runCi(parts, { stolenPercent: 10 })).toMatchObject({ status: 1 })
})

test('a long run that failed while the host took the processor away is repeated', () => {
  const failsOnce = 'run soak -- engines --short'
  const { status, lines } = runCi({}, { stolenPercent: 20, failsOnce })
  expect(lines).toContain('repeated, because the host gave more than 15 % of the processor to others')
  expect(lines.at(-1)).toBe('10 passed, 0 failed')
  expect(status).toBe(0)
  const undisturbed = runCi({}, { failsOnce })
  expect(undisturbed.lines).toContain('FAIL calls go on')
  expect(undisturbed.lines.at(-1)).toBe('9 passed, 1 failed')
  expect(undisturbed.status).toBe(1)
})
