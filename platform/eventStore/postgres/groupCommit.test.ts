import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { BEGINNING } from '../../../contracts/position.ts'
import { anEvent } from '../../../test/support/events/events.ts'
import { type ExpectedRevision, StoreUnavailable } from '../port.ts'
import { APPENDS_WAITING_MAX } from '../storeLimits.ts'
import { APPEND_BYTES_PER_COMMIT_MAX, APPENDS_PER_COMMIT_MAX, GroupCommit, type WaitingAppend } from './groupCommit.ts'

const settleAll = (batch: readonly WaitingAppend[]) => () => {
  for (const append of batch) append.resolve(STORED)
}
const STORED = { revision: 0, position: BEGINNING, repeated: false }
const encoded = (bytes = 100, id: string = randomUUID()) => ({
  id,
  type: 'Happened',
  data: '{}',
  metadata: '{}',
  bytes,
  source: anEvent({}, id),
})

/** Every batch that is formed, as the names of its appends; each is answered at once. */
function recorder() {
  const batches: string[][] = []
  const names = new Map<string, string>()
  const commit = new GroupCommit(async (batch) => {
    batches.push(batch.map((append) => names.get(append.events[0]?.id ?? '') ?? '?'))
    return settleAll(batch)
  })
  const append = (name: string, stream: string, expected: ExpectedRevision = 'any', event = encoded()) => {
    names.set(event.id, name)
    return commit.append(stream, expected, [event])
  }
  return { batches, commit, append }
}

describe('a batch', () => {
  test('takes all appends of one turn, and a single append does not wait for more', async () => {
    const { batches, append } = recorder()
    await append('lone', 'a-1')
    await Promise.all([append('x', 'a-1'), append('y', 'a-2'), append('z', 'a-1')])
    expect(batches).toEqual([['lone'], ['x', 'y', 'z']])
  })

  test('fills while the previous one commits', async () => {
    const sent: (readonly WaitingAppend[])[] = []
    const committing = Promise.withResolvers<void>()
    const commit = new GroupCommit(async (batch) => {
      sent.push(batch)
      await committing.promise
      return settleAll(batch)
    })
    const first = commit.append('a-1', 'any', [encoded()])
    await new Promise(setImmediate)
    const later = [1, 2, 3].map((n) => commit.append(`a-${n}`, 'any', [encoded()]))
    expect(commit.waiting).toBe(3)
    expect(sent).toHaveLength(1)
    committing.resolve()
    await Promise.all([first, ...later])
    expect(sent.map((batch) => batch.length)).toEqual([1, 3])
  })

  test('is sent before the callers of the previous one continue', async () => {
    const order: string[] = []
    const commit = new GroupCommit(async (batch) => {
      order.push(`${batch.length} sent`)
      await new Promise(setImmediate)
      return settleAll(batch)
    })
    const first = commit.append('a-1', 'any', [encoded()]).then(() => order.push('the first goes on'))
    await new Promise(setImmediate)
    await Promise.all([first, commit.append('a-1', 'any', [encoded()]), commit.append('a-2', 'any', [encoded()])])
    expect(order).toEqual(['1 sent', '2 sent', 'the first goes on'])
  })

  test('contains no other append to a stream that has one with an expected revision', async () => {
    const { batches, append } = recorder()
    await Promise.all([
      append('first', 'a-1', 'none'),
      append('second', 'a-1', 0),
      append('other', 'b-1', 3),
      append('any', 'c-1'),
    ])
    expect(batches).toEqual([['first', 'other', 'any'], ['second']])
  })

  test.each([
    ['after an unconditional one', ['any', 0]],
    ['before an unconditional one', [0, 'any']],
  ] as const)('keeps a conditional append apart, also %s', async (_, [first, second]) => {
    const { batches, append } = recorder()
    await Promise.all([append('1', 'a-1', first), append('2', 'a-1', second)])
    expect(batches).toEqual([['1'], ['2']])
  })

  test('keeps the order of a stream: an append to the stream of a waiting one waits too', async () => {
    const { batches, append } = recorder()
    await Promise.all([
      append('1', 'a-1', 'none'),
      append('2', 'a-1', 0),
      append('3', 'a-1'),
      append('4', 'a-1'),
      append('5', 'a-1', 3),
      append('elsewhere', 'b-1'),
    ])
    expect(batches).toEqual([['1', 'elsewhere'], ['2'], ['3', '4'], ['5']])
  })

  test('never contains an event id twice', async () => {
    const { batches, append } = recorder()
    const event = encoded()
    await Promise.all([append('same', 'a-1', 'any', event), append('same', 'a-1', 'any', event), append('next', 'a-1')])
    expect(batches).toEqual([['same'], ['same', 'next']])
  })

  test(`contains at most ${APPENDS_PER_COMMIT_MAX} appends`, async () => {
    const { batches, append } = recorder()
    const count = 2 * APPENDS_PER_COMMIT_MAX + 1
    await Promise.all(Array.from({ length: count }, (_, n) => append(String(n), `a-${n % 7}`)))
    expect(batches.map((batch) => batch.length)).toEqual([APPENDS_PER_COMMIT_MAX, APPENDS_PER_COMMIT_MAX, 1])
    const inStream = batches.flat().filter((name) => Number(name) % 7 === 3)
    expect(inStream).toEqual(inStream.toSorted((a, b) => Number(a) - Number(b)))
  })

  test('stays under its limit of bytes, but takes a single append of any size', async () => {
    const { batches, append } = recorder()
    const half = APPEND_BYTES_PER_COMMIT_MAX / 2
    await Promise.all([
      append('half', 'a-1', 'any', encoded(half)),
      append('more', 'b-1', 'any', encoded(half + 1)),
      append('behind it', 'b-1', 'any', encoded(1)),
      append('small', 'c-1', 'any', encoded(1)),
      append('huge', 'd-1', 'any', encoded(3 * half)),
    ])
    expect(batches).toEqual([['half', 'small'], ['more', 'behind it'], ['huge']])
  })
})

describe('the queue of appends', () => {
  test('refuses an append when it is full, and accepts one when it has drained', async () => {
    const committing = Promise.withResolvers<void>()
    const commit = new GroupCommit(async (batch) => {
      await committing.promise
      return settleAll(batch)
    })
    const first = commit.append('a-0', 'any', [encoded()])
    await new Promise(setImmediate)
    const waiting = Array.from({ length: APPENDS_WAITING_MAX }, (_, n) => commit.append(`a-${n}`, 'any', [encoded()]))
    const oneMore = () => commit.append('a-1', 'any', [encoded()])
    expect(oneMore).toThrow(StoreUnavailable)
    committing.resolve()
    await Promise.all([first, ...waiting])
    await oneMore()
  })

  test('refuses every append once it is closed, and finishes those under way first', async () => {
    const { batches, commit, append } = recorder()
    const underWay = [append('1', 'a-1', 'none'), append('2', 'a-1', 0)]
    await commit.close()
    expect(batches).toEqual([['1'], ['2']])
    await Promise.all(underWay)
    expect(() => append('3', 'a-1')).toThrow(StoreUnavailable)
  })
})
