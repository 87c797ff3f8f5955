import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MeetingEvent } from '../../contracts/events/meeting.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { ENDED_AT, insightGenerated, meetingHeld } from '../../test/support/events/workerEvents.ts'
import { applyEvents } from '../projection.ts'
import { meetingInsights } from './projection.ts'

const room = 'standup'
const insightId = randomUUID()
const rowsAfter = (...events: MeetingEvent[]) => [
  ...applyEvents(meetingInsights, history(streamName('meeting', room), ...events)).values(),
]

test('room events alone make no row; a held meeting does', () => {
  expect(rowsAfter({ type: 'RoomCreated', data: { room, createdAt: AT } })).toEqual([])
  expect(rowsAfter({ type: 'RoomDestroyed', data: { room, destroyedAt: AT } })).toEqual([])
  const meeting = { room, startedAt: AT, endedAt: ENDED_AT, insightId: null, withdrawn: false }
  expect(rowsAfter(meetingHeld(room))).toMatchObject([meeting])
})

test('a meeting gets its insight and its company', () => {
  const links = { companyId: randomUUID(), jobId: randomUUID(), talentId: randomUUID() }
  expect(rowsAfter(meetingHeld(room), insightGenerated(room, insightId, links))).toEqual([
    {
      room,
      startedAt: AT,
      endedAt: ENDED_AT,
      insightId,
      durationSeconds: 90.5,
      companyId: links.companyId,
      jobId: links.jobId,
      talentId: links.talentId,
      summary: 'A meeting took place.',
      summaryBy: 'RULE',
      generatedAt: AT,
      withdrawn: false,
    },
  ])
})

test('a meeting that a late event split is withdrawn, with its insight', () => {
  const withdrawn: MeetingEvent = { type: 'MeetingWithdrawn', data: { room, startedAt: AT, endedAt: ENDED_AT } }
  const rows = rowsAfter(meetingHeld(room), insightGenerated(room, insightId), withdrawn)
  expect(rows).toMatchObject([{ insightId, withdrawn: true }])
})

test('two meetings of a room are two rows', () => {
  expect(rowsAfter(meetingHeld(room), meetingHeld(room, '2026-03-02T00:00:00.000Z'))).toHaveLength(2)
})
