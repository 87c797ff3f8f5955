import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPlanted } from './planted/planted.ts'
import { WORLD_NAMES } from './worldNames.ts'

/** These find nothing wrong. */
const COUNTING = ['happenings.ts', 'callCounters.ts', 'storedTypes.ts']
const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

test('the README names every checker beside its invariant', () => {
  const files = readdirSync(join(import.meta.dirname, 'checkers')).filter(
    (file) =>
      /^\w+\.ts$/.test(file) && /^ +(invariant|name): /m.test(textOf(`checkers/${file}`)) && !COUNTING.includes(file),
  )
  const readme = textOf('README.md')
  expect(files.filter((file) => !readme.includes(`\`checkers/${file}\``))).toEqual([])
})

test('the README names every world', () => {
  const rows = [...textOf('README.md').matchAll(/^\| ([A-C]) \|/gm)].map(([, name]) => name)
  expect(rows).toEqual(WORLD_NAMES)
})

test('the table of planted bugs has no bug that does not exist', () => {
  const rows = [...textOf('planted/README.md').matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)
  const names = readPlanted().map(({ name }) => name)
  expect(rows.filter((name) => !names.some((each) => each === name))).toEqual([])
})
