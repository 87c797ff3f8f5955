import { expect, test } from 'vitest'
import { parseStat } from './processCpu.ts'

test('the name of a process may contain spaces and parentheses', () => {
  const line = '812 (postgres: (a b) idle) S 800 812 812 0 -1 4194560 900 0 0 0 31 12 5 2 20 0 1 0 100 0 0'
  expect(parseStat(line)).toEqual({ name: 'postgres: (a b) idle', parent: 800, ticks: 43, all: 50 })
})
