import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../capabilities/transparency/checkpoint.ts'
import { sha256 } from '../../capabilities/transparency/hashes.ts'
import type { JsonObject } from '../../contracts/envelope.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { anEvent } from '../../test/support/events/events.ts'
import type { SavedEvent } from '../backup/savedEvent.ts'
import { newOrigin } from './newOrigin.ts'
import { SavedTransparencyLog } from './savedTransparencyLog.ts'

const AT = '2026-11-16T17:05:09.123Z'
const NOW = '/r20261116170509'
const BEFORE = '/r20260101000000'
const LATER = '/r20260901000000'

const checkpoint = (origin: string, size: number, tree = `tree of ${size}`): Checkpoint => ({
  origin,
  size,
  root: sha256(tree),
})
const signed = (origin: string, size: number): [string, JsonObject] => [
  'CheckpointSigned',
  { origin, size, root: Buffer.from(checkpoint(origin, size).root).toString('base64') },
]
const started = (origin: string, size: number): [string, JsonObject] => ['LogOriginStarted', { origin, size }]

function originAfter(events: [string, JsonObject][], published: Checkpoint | null) {
  const transparencyLog = new SavedTransparencyLog(published)
  for (const [revision, [type, data]] of events.entries()) {
    const { id, metadata } = anEvent()
    transparencyLog.add({
      stream: CHECKPOINTS_STREAM,
      revision,
      id,
      type,
      data,
      metadata,
      recordedAt: AT,
      position: '1',
    } as SavedEvent)
  }
  expect(transparencyLog.revision).toBe(events.length - 1)
  return newOrigin(transparencyLog, published, AT)?.origin ?? null
}

describe('without the newest published checkpoint', () => {
  test('a log that never signed a checkpoint starts no origin', () => {
    expect(originAfter([], null)).toBeNull()
  })

  test('a log that signed checkpoints starts an origin with the time of the restore', () => {
    expect(originAfter([signed('log.test', 5)], null)).toBe(`log.test${NOW}`)
  })

  test('the origin of an earlier restore is replaced, but one of the settings keeps its name', () => {
    const ofRestore = [signed('log.test', 5), started(`log.test${BEFORE}`, 5)]
    expect(originAfter(ofRestore, null)).toBe(`log.test${NOW}`)
    expect(originAfter([...ofRestore, signed(`log.test${BEFORE}`, 7)], null)).toBe(`log.test${NOW}`)
    expect(originAfter([signed(`log.test${BEFORE}`, 7)], null)).toBe(`log.test${BEFORE}${NOW}`)
  })

  test('an origin of the largest length is shortened', () => {
    const origin = originAfter([signed('o'.repeat(200), 1)], null)
    expect(origin).toHaveLength(200)
    expect(origin).toMatch(new RegExp(`^o+${NOW}$`))
  })
})

describe('with the newest published checkpoint', () => {
  const saved = [signed('log.test', 5), signed('log.test', 9)]

  test('the origin is kept if the backup has it, even before later ones', () => {
    expect(originAfter(saved, checkpoint('log.test', 9))).toBeNull()
    expect(originAfter(saved, checkpoint('log.test', 5))).toBeNull()
    const restored = [...saved, started(`log.test${BEFORE}`, 9), signed(`log.test${BEFORE}`, 12)]
    expect(originAfter(restored, checkpoint(`log.test${BEFORE}`, 12))).toBeNull()
  })

  test('a new origin starts if the backup is older', () => {
    expect(originAfter(saved, checkpoint('log.test', 10))).toBe(`log.test${NOW}`)
    expect(originAfter([], checkpoint('log.test', 1))).toBe(`log.test${NOW}`)
  })

  test('a new origin starts if the backup is older than one that was started', () => {
    expect(originAfter(saved, checkpoint(`log.test${BEFORE}`, 7))).toBe(`log.test${NOW}`)
    const restored = [...saved, started(`log.test${BEFORE}`, 9), signed(`log.test${BEFORE}`, 12)]
    expect(originAfter(restored, checkpoint(`log.test${LATER}`, 10))).toBe(`log.test${NOW}`)
    // The origin was started, and its first checkpoint was signed after the backup.
    expect(originAfter(restored.slice(0, 3), checkpoint(`log.test${BEFORE}`, 9))).toBe(`log.test${NOW}`)
  })

  test.for<[string, [string, JsonObject][], Checkpoint, string]>([
    ['of another log', saved, checkpoint('other.test', 9), 'but the log of the backup has the origin log.test'],
    ['with another root', saved, checkpoint('log.test', 9, 'another'), 'has another tree of 9 entries'],
    ['that was never signed', saved, checkpoint('log.test', 7), 'never had a checkpoint of 7 entries'],
    [
      'of an origin that the log had before',
      [...saved, started(`log.test${BEFORE}`, 9)],
      checkpoint('log.test', 9),
      'give the newest checkpoint that was published',
    ],
  ])('one %s is refused', ([, events, published, message]) => {
    expect(() => originAfter(events, published)).toThrow(message)
  })
})
