import path from 'node:path'
import { expect, test } from 'vitest'
import { plantTree } from '../../toolchain/plantedTree.ts'
import { runWorld } from './runWorld.ts'
import { SeedQueue, seedsFrom } from './seedQueue.ts'

/** A worker that runs nothing: `answer` is the code that answers a seed. */
function plantWorker(answer: string) {
  const tree = plantTree({
    'worker.mjs': `
      const say = (outcome) => process.send({ kind: 'outcome', residentBytes: 1, outcome })
      process.on('message', ({ seed }) => { ${answer} })
      process.on('disconnect', () => process.exit())
      process.send({ kind: 'ready', requiredCounters: ['a counter'] })`,
  })
  return { ...tree, program: path.join(tree.root, 'worker.mjs') }
}

test('the outcomes are in the order of their seeds, whichever worker ran them', async () => {
  using worker = plantWorker('setTimeout(() => say({ seed, failure: null }), seed % 2 === 0 ? 0 : 20)')
  const run = await runWorld('B', new SeedQueue(seedsFrom(1, 6)), { workers: 2, program: worker.program })
  expect(run.outcomes.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5, 6])
  expect(run.requiredCounters).toEqual(['a counter'])
})

test('a seed whose worker ends has failed, and the others run in a new one', async () => {
  using worker = plantWorker(
    "if (seed === 2) { process.stderr.write('out of memory'); process.exit(3) } say({ seed, failure: null })",
  )
  const { outcomes } = await runWorld('B', new SeedQueue(seedsFrom(1, 3)), { workers: 1, program: worker.program })
  expect(outcomes.map(({ failure }) => failure?.detail ?? null)).toEqual([
    null,
    'the worker ended: exit code 3\nout of memory',
    null,
  ])
})

test('a seed that does not end is ended', async () => {
  using worker = plantWorker('if (seed !== 1) say({ seed, failure: null })')
  const options = { workers: 1, program: worker.program, seedMsMax: 50 }
  const { outcomes } = await runWorld('B', new SeedQueue(seedsFrom(1, 1)), options)
  expect(outcomes[0]?.failure?.detail).toContain('SIGKILL, for example because it took too long')
})

test('fresh processes run one seed each', async () => {
  using worker = plantWorker('say({ seed, hash: String(process.pid), failure: null })')
  const options = { workers: 1, program: worker.program, isFresh: true }
  const { outcomes } = await runWorld('B', new SeedQueue(seedsFrom(1, 2)), options)
  expect(new Set(outcomes.map(({ hash }) => hash)).size).toBe(2)
})
