import { describe, test } from 'vitest'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { transparencyDecider } from './decider.ts'

const given = specificationOf(transparencyDecider)

const at = '2026-03-01T10:00:00.000Z'
const rootOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const tree = { origin: 'log.example', size: 5, root: rootOf(1), note: 'a note' }
const signed = { type: 'CheckpointSigned', data: { ...tree, signedAt: at } } as const
const sign = (changes: Partial<typeof tree> = {}) => ({ type: 'SignCheckpoint', ...tree, ...changes, at }) as const

test('a checkpoint is signed once', () => {
  given().when(sign()).then(signed)
  given(signed).when(sign()).thenNothing()
})

test('a checkpoint of a size that was signed with another root is refused', () => {
  given(signed)
    .when(sign({ root: rootOf(2) }))
    .thenThrows('CONFLICT', /size 5 with another root/)
})

test('a checkpoint smaller than the previous one is refused', () => {
  given(signed)
    .when(sign({ size: 4 }))
    .thenThrows('CONFLICT', /cannot be 4/)
})

describe('a key', () => {
  const [first, second, third] = ['log.example+1', 'log.example+2', 'log.example+3'] as const
  const rotate = (oldVkey: string, newVkey: string) =>
    ({ type: 'RotateKey', origin: 'log.example', oldVkey, newVkey, size: 5, note: 'a note', at }) as const
  const rotated = (oldVkey: string, newVkey: string) => {
    const data = { origin: 'log.example', oldVkey, newVkey, size: 5, note: 'a note', rotatedAt: at }
    return { type: 'LogKeyRotated', data } as const
  }

  test('is replaced once, and its successor can be replaced', () => {
    given(signed).when(rotate(first, second)).then(rotated(first, second))
    given(signed, rotated(first, second)).when(rotate(first, second)).thenNothing()
    given(signed, rotated(first, second)).when(rotate(second, third)).then(rotated(second, third))
  })

  test('that was replaced has no other successor', () => {
    given(signed, rotated(first, second))
      .when(rotate(first, third))
      .thenThrows('CONFLICT', /log\.example\+1 was replaced by log\.example\+2 already/)
  })

  test('that is new signs the tree that the old one has signed', () => {
    given(signed, rotated(first, second)).when(sign()).then(signed)
    given(signed, rotated(first, second), signed).when(sign()).thenNothing()
    given(signed, rotated(first, second))
      .when(sign({ root: rootOf(2) }))
      .thenThrows('CONFLICT', /size 5 with another root/)
  })
})

test('a new origin starts once, and its checkpoints need not continue those of the last', () => {
  const start = { type: 'StartOrigin', origin: 'log.example/2', reason: 'restored', size: 3, at } as const
  const { type: _, at: startedAt, ...facts } = start
  const started = { type: 'LogOriginStarted', data: { ...facts, startedAt } } as const
  const first = { origin: 'log.example/2', size: 4, root: rootOf(3) }
  given(signed).when(start).then(started)
  given(signed, started).when(start).thenNothing()
  given(signed, started)
    .when(sign(first))
    .then({ type: 'CheckpointSigned', data: { ...tree, ...first, signedAt: at } })
})
