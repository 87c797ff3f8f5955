import { expect, test } from 'vitest'
import { checkpointSize } from './useCoverage.ts'

test('the size of a checkpoint is the second line of the note in the proof', () => {
  const proof =
    'c2sp.org/tlog-proof@v1\nindex 3\nabc=\n\ntollgate.example/log\n53\nhash=\n\n— tollgate.example/log sig=\n'
  expect(checkpointSize(proof)).toBe(53)
})

test('text that is not a proof has no size', () => {
  expect(checkpointSize('something else')).toBeNull()
})
