import { expect, test } from 'vitest'
import { readKeptSeeds } from './keptSeeds.ts'

test('each kept seed is named once', () => {
  const names = readKeptSeeds().map(({ world, seed }) => `${world} ${seed}`)
  expect(names).toEqual([...new Set(names)])
})
