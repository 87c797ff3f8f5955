import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MeetingEvent } from '../../contracts/events/meeting.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { fold } from '../decider.ts'
import { decide, meetingDecider, meetingsOf, ROOM_EVENTS_MAX, type RoomCommand } from './decider.ts'
import { linksOf } from './room.ts'

const given = specificationOf(meetingDecider)

const room = 'standup'
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString()
const create = (minute: number): RoomCommand => ({ type: 'CreateRoom', room, happenedAt: at(minute) })
const destroy = (minute: number): RoomCommand => ({ type: 'DestroyRoom', room, happenedAt: at(minute) })
const created = (minute: number): MeetingEvent => ({ type: 'RoomCreated', data: { room, createdAt: at(minute) } })
const destroyed = (minute: number): MeetingEvent => ({ type: 'RoomDestroyed', data: { room, destroyedAt: at(minute) } })
const held = (from: number, to: number): MeetingEvent => ({
  type: 'MeetingHeld',
  data: { room, startedAt: at(from), endedAt: at(to) },
})
const withdrawn = (from: number, to: number): MeetingEvent => ({
  type: 'MeetingWithdrawn',
  data: { room, startedAt: at(from), endedAt: at(to) },
})

test('a creation and the destruction after it are a meeting, in whatever order they arrive', () => {
  given(created(0)).when(destroy(30)).then(destroyed(30), held(0, 30))
  given(destroyed(30)).when(create(0)).then(created(0), held(0, 30))
})

test('a repeated room event is stored once', () => {
  given(created(0)).when(create(0)).thenNothing()
  given(destroyed(0)).when(destroy(0)).thenNothing()
})

test('a reused room name has several meetings', () => {
  given(created(0), destroyed(10), held(0, 10), created(20)).when(destroy(30)).then(destroyed(30), held(20, 30))
})

test('a late room event splits what looked like one meeting', () => {
  given(created(0), destroyed(30), held(0, 30)).when(destroy(10)).then(destroyed(10), withdrawn(0, 30), held(0, 10))
  given(created(0), destroyed(30), held(0, 30)).when(create(20)).then(created(20), withdrawn(0, 30), held(20, 30))
})

test('a destruction without a creation before it ends no meeting', () => {
  given(created(10)).when(destroy(5)).then(destroyed(5))
  given(created(0), destroyed(10), held(0, 10)).when(destroy(12)).then(destroyed(12))
})

test('a room destroyed and created at the same moment has two meetings, not one of zero length', () => {
  given(created(0), destroyed(10), held(0, 10), created(10)).when(destroy(20)).then(destroyed(20), held(10, 20))
})

const insight = {
  insightId: '55555555-5555-5555-8555-555555555555',
  companyId: null,
  jobId: null,
  talentId: null,
  summary: 'The meeting lasted 10 minutes.',
  summaryBy: 'RULE',
} as const
const generate: RoomCommand = {
  type: 'GenerateInsight',
  room,
  startedAt: at(0),
  endedAt: at(10),
  ...insight,
  at: at(11),
}
const generated: MeetingEvent = {
  type: 'InsightGenerated',
  data: { room, startedAt: at(0), endedAt: at(10), ...insight, durationSeconds: 600, generatedAt: at(11) },
}

test('a meeting gets one insight', () => {
  const meeting = [created(0), destroyed(10), held(0, 10)]
  given(...meeting)
    .when(generate)
    .then(generated)
  given(...meeting, generated)
    .when(generate)
    .thenNothing()
})

test('a withdrawn meeting gets no insight', () => {
  given(created(0), destroyed(10), held(0, 10), destroyed(5), withdrawn(0, 10), held(0, 5))
    .when(generate)
    .thenThrows('CONFLICT', /no meeting/)
})

test('the number of events of a room is limited', () => {
  const full = { ...meetingDecider.initialState(), created: Array.from({ length: ROOM_EVENTS_MAX }, () => '') }
  expect(() => decide(create(0), full)).toThrow(/use another name/)
})

test('the resulting meetings do not depend on the order of arrival', () => {
  const news = fc.uniqueArray(fc.record({ creates: fc.boolean(), minute: fc.nat(50) }), {
    selector: ({ creates, minute }) => `${creates} ${minute}`,
    maxLength: 20,
  })
  fc.assert(
    fc.property(
      news.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const arrive = (items: typeof all) => {
          const events: MeetingEvent[] = []
          for (const { creates, minute } of items) {
            const command = creates ? create(minute) : destroy(minute)
            events.push(...decide(command, fold(meetingDecider, events)))
          }
          return fold(meetingDecider, events)
        }
        const state = arrive(shuffled)
        expect(state).toEqual(arrive(all))
        expect(state.held).toEqual(meetingsOf(state).map(({ startedAt, endedAt }) => `${startedAt}/${endedAt}`))
      },
    ),
  )
})

test('a room name of the documented form links a job and a talent, and no other does', () => {
  const jobId = '88888888-8888-4888-8888-888888888888'
  const talentId = 'aaaaaaaa-8888-4888-8888-888888888888'
  expect(linksOf(`job-${jobId}--talent-${talentId}`)).toEqual({ jobId, talentId })
  expect(linksOf(`job-${jobId}--talent-${talentId.toUpperCase()}--round 2`)).toEqual({ jobId, talentId })
  for (const name of [
    'standup',
    `job-${jobId}`,
    `job-${jobId}--talent-${talentId}x`,
    `a job-${jobId}--talent-${talentId}`,
  ]) {
    expect(linksOf(name)).toBeNull()
  }
})
