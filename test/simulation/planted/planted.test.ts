import { expect, test } from 'vitest'
import { plantTree } from '../../toolchain/plantedTree.ts'
import { readPlanted } from './planted.ts'
import { tableOf, writtenInto } from './plantedTable.ts'
import { requireApplies } from './plantedTree.ts'

test.for(readPlanted())('the planted bug $name applies to this version', ({ file }) => {
  expect(() => requireApplies(file)).not.toThrow()
})

test('the table gives the seeds of each run, their median and the invariant', async () => {
  const planted = { name: 'b-bug', file: '', world: 'B', breaks: 'a rule' } as const
  const found = [3, 9, 4].map((seeds) => ({ seeds, invariant: 'no false alarm' }))
  const table = tableOf([{ planted, found }])
  expect(table.split('\n').at(-2)).toBe('| `b-bug` | B | a rule | 3, 9, 4 | 4 | no false alarm |')
  using tree = plantTree({ 'README.md': `# Title\n\n${table}| \`a-bug\` | A | x | not tried |  |  |\n\nAn end.\n` })
  const again = [{ planted, found: [...found.slice(0, 2), { seeds: null, invariant: null }] }]
  const text = await writtenInto(`${tree.root}/README.md`, again)
  expect(text.split('\n').slice(4)).toEqual([
    '| `a-bug` | A | x | not tried |  |  |',
    '| `b-bug` | B | a rule | 3, 9, not found | 9 | no false alarm |',
    '',
    'An end.',
    '',
  ])
})
