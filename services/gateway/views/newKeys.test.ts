import { beforeEach, describe, expect, test } from 'vitest'
import type { Position } from '../../../contracts/position.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import type { LiveKey } from './keys.ts'
import { NewKeys } from './newKeys.ts'
import { SharedHead } from './sharedHead.ts'

const at = (number: number) => String(number).padStart(4, '0') as Position
const KEY = { keyId: 'a key' } as LiveKey
/** The limits that the documentation states. */
const NEW_KEY_WAIT_MS = 2_000
const NEW_KEY_WAITERS_MAX = 64
const TRY_AGAIN = { status: 503, headers: { 'retry-after': '1' } }

let clock: ManualClock
let known: LiveKey | null
let reached: Position
let head: Position
let headReads: number
let answerHead: (() => void)[] | null
let newKeys: NewKeys

beforeEach(() => {
  clock = new ManualClock()
  known = null
  reached = at(1)
  head = at(5)
  headReads = 0
  answerHead = null
  const store = {
    head: () => {
      headReads++
      const read = head
      const waiting = answerHead
      return waiting ? new Promise<Position>((resolve) => waiting.push(() => resolve(read))) : Promise.resolve(read)
    },
  }
  newKeys = new NewKeys({
    stamp: { isNew: () => true },
    keys: { find: () => known },
    head: new SharedHead(store),
    reached: () => reached,
    clock,
  })
})

describe('a request with a new key', () => {
  test('waits until the view has the key', async () => {
    let isOver = false
    const found = newKeys.find('hash').finally(() => {
      isOver = true
    })
    await clock.advance(1_000)
    expect(isOver).toBe(false)
    known = KEY
    reached = at(3)
    await clock.advance(100)
    expect(await found).toBe(KEY)
  })

  test('is refused when the view has passed the head of the store without the key', async () => {
    const found = newKeys.find('hash')
    await clock.advance(100)
    reached = at(5)
    await clock.advance(100)
    expect(await found).toBeNull()
  })

  test('gets 503 with retry-after when the view does not pass the head in time', async () => {
    const found = newKeys.find('hash')
    const refused = expect(found).rejects.toMatchObject(TRY_AGAIN)
    await clock.advance(NEW_KEY_WAIT_MS + 10)
    await refused
  })

  test('gets 503 with retry-after when the store does not report its head in time', async () => {
    answerHead = []
    const refused = expect(newKeys.find('hash')).rejects.toMatchObject(TRY_AGAIN)
    await clock.advance(NEW_KEY_WAIT_MS + 10)
    await refused
  })

  test('gets 503 after two seconds in all if first the head of the store and then the view takes long', async () => {
    answerHead = []
    const refused = newKeys.find('hash').catch((error: unknown) => error)
    await clock.advance(NEW_KEY_WAIT_MS - 500)
    answerHead.shift()?.()
    await clock.advance(500 + 10)
    expect(await Promise.race([refused, 'it still waits'])).toMatchObject(TRY_AGAIN)
  })

  test('gets 503 at once while too many others wait; slots are released afterwards', async () => {
    const waiting = Array.from({ length: NEW_KEY_WAITERS_MAX }, () => newKeys.find('hash'))
    await expect(newKeys.find('hash')).rejects.toMatchObject(TRY_AGAIN)
    reached = head
    await clock.advance(100)
    await Promise.all(waiting)
    expect(await newKeys.find('hash')).toBeNull()
  })
})

test('requests that wait together share one read of the head, and none uses a read that began before it', async () => {
  answerHead = []
  const first = newKeys.find('first')
  expect(headReads).toBe(1)
  // Minted after the read that is under way has begun.
  head = at(9)
  const later = [newKeys.find('second'), newKeys.find('third')]
  expect(headReads).toBe(1)
  reached = at(5)
  answerHead.shift()?.()
  expect(await first).toBeNull()
  expect(headReads).toBe(2)
  answerHead.shift()?.()
  let isOver = false
  const all = Promise.all(later).finally(() => {
    isOver = true
  })
  await clock.advance(100)
  expect(isOver).toBe(false)
  reached = at(9)
  await clock.advance(100)
  expect(await all).toEqual([null, null])
  expect(headReads).toBe(2)
})

test('a request that comes during a read that followed another gets one of its own', async () => {
  answerHead = []
  reached = at(5)
  const earlier = [newKeys.find('first'), newKeys.find('second')]
  answerHead.shift()?.()
  await clock.advance(0)
  expect(headReads).toBe(2)
  // Minted after the second read has begun.
  head = at(9)
  const third = newKeys.find('third')
  answerHead.shift()?.()
  expect(await Promise.all(earlier)).toEqual([null, null])
  expect(headReads).toBe(3)
  known = KEY
  reached = at(9)
  answerHead.shift()?.()
  expect(await third).toBe(KEY)
})

test('a failed read of the head does not fail requests that came after it began', async () => {
  let reads = 0
  const shared = new SharedHead({ head: async () => (reads++ === 0 ? Promise.reject(new Error('away')) : at(5)) })
  const [first, second] = await Promise.allSettled([shared.read(), shared.read()])
  expect(first.status).toBe('rejected')
  expect(second).toEqual({ status: 'fulfilled', value: at(5) })
})
