import { expect, test } from 'vitest'
import { keyNames } from './keyNames.ts'

test('keys with the same name are told apart by their prefix', () => {
  const names = keyNames([
    { id: '1', name: 'ci', hint: 'tg_abc' },
    { id: '2', name: 'web', hint: 'tg_def' },
    { id: '3', name: 'ci', hint: 'tg_ghi' },
  ])
  expect(Object.fromEntries(names)).toEqual({ 1: 'ci (tg_abc…)', 2: 'web', 3: 'ci (tg_ghi…)' })
})
