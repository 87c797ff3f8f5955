import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { COMMIT_NOTICES_INTERVAL_MS, CommitNotices } from './commitNotices.ts'

function recorder(notify: (position: number) => Promise<unknown> = async () => {}) {
  const sent: number[] = []
  const clock = new ManualClock()
  const notices = new CommitNotices((position) => {
    sent.push(position)
    return notify(position)
  }, clock)
  return { sent, clock, notices }
}

test('the first commit is notified at once, and those within the next interval together', async () => {
  const { sent, clock, notices } = recorder()
  notices.stored(1)
  expect(sent).toEqual([1])
  notices.stored(2)
  notices.stored(3)
  expect(sent).toEqual([1])
  await clock.advance(COMMIT_NOTICES_INTERVAL_MS)
  expect(sent).toEqual([1, 3])
})

test('closing sends pending notifications, and none twice', async () => {
  const { sent, notices } = recorder()
  notices.stored(1)
  notices.stored(2)
  await notices.close()
  expect(sent).toEqual([1, 2])
  await notices.close()
  expect(sent).toEqual([1, 2])
})

test('a notification that fails is not repeated, and the next one is sent', async () => {
  const { sent, clock, notices } = recorder(() => Promise.reject(new Error('no connection')))
  notices.stored(1)
  notices.stored(2)
  await clock.advance(COMMIT_NOTICES_INTERVAL_MS)
  await notices.close()
  expect(sent).toEqual([1, 2])
})
