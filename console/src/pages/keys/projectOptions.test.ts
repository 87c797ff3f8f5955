import { expect, test } from 'vitest'
import { projectOptions } from './projectOptions.ts'

const PROJECTS = [
  { id: 'a', name: 'Search', archived: false },
  { id: 'b', name: 'Old', archived: true },
]

test('a key can be put into every project that is not archived', () => {
  expect(projectOptions(PROJECTS, '')).toEqual([{ value: 'a', label: 'Search' }])
})

test('the project of a key is shown, also if it is archived or its developer has left it', () => {
  expect(projectOptions(PROJECTS, 'b').map(({ label }) => label)).toEqual(['Search', 'Old'])
  expect(projectOptions(PROJECTS, 'c')[0]).toEqual({ value: 'c', label: 'A project that you are not a member of' })
})
