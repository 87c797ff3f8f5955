import type { MeetingEvent } from '../../contracts/events/meeting.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

/** The maximum number of creations and destructions of one room. */
export const ROOM_EVENTS_MAX = 5_000

export type Meeting = { readonly startedAt: string; readonly endedAt: string }

/** A room, whose name may be reused. Times are sorted, in whatever order the events arrived. */
export type RoomState = {
  readonly created: readonly string[]
  readonly destroyed: readonly string[]
  /** The current meetings, and those that have an insight, by `meetingKey`. */
  readonly held: readonly string[]
  readonly insights: readonly string[]
}

export function evolve(state: RoomState, event: MeetingEvent): RoomState {
  switch (event.type) {
    case 'RoomCreated':
      return { ...state, created: inOrder(state.created, event.data.createdAt) }
    case 'RoomDestroyed':
      return { ...state, destroyed: inOrder(state.destroyed, event.data.destroyedAt) }
    case 'MeetingHeld':
      return { ...state, held: inOrder(state.held, meetingKey(event.data)) }
    case 'MeetingWithdrawn':
      return { ...state, held: state.held.filter((key) => key !== meetingKey(event.data)) }
    case 'InsightGenerated':
      return { ...state, insights: inOrder(state.insights, meetingKey(event.data)) }
    default:
      return unexpected(event)
  }
}

export type RoomCommand = { readonly room: string } & (
  | { readonly type: 'CreateRoom' | 'DestroyRoom'; readonly happenedAt: string }
  | (Meeting & {
      readonly type: 'GenerateInsight'
      readonly insightId: string
      readonly companyId: string | null
      readonly jobId: string | null
      readonly talentId: string | null
      readonly summary: string
      readonly summaryBy: 'MODEL' | 'RULE'
      readonly at: string
    })
)

export function decide(command: RoomCommand, state: RoomState): MeetingEvent[] {
  const { room } = command
  switch (command.type) {
    case 'CreateRoom': {
      const { happenedAt: createdAt } = command
      if (state.created.includes(createdAt)) return []
      return withMeetings(room, state, { type: 'RoomCreated', data: { room, createdAt } })
    }
    case 'DestroyRoom': {
      const { happenedAt: destroyedAt } = command
      if (state.destroyed.includes(destroyedAt)) return []
      return withMeetings(room, state, { type: 'RoomDestroyed', data: { room, destroyedAt } })
    }
    case 'GenerateInsight': {
      const { type: _, at, ...insight } = command
      const key = meetingKey(insight)
      if (state.insights.includes(key)) return []
      if (!state.held.includes(key)) throw new Refusal('CONFLICT', `room ${room} had no meeting ${key}`)
      const durationSeconds = durationOf(insight)
      return [{ type: 'InsightGenerated', data: { ...insight, durationSeconds, generatedAt: at } }]
    }
    default:
      return unexpected(command)
  }
}

/** A room event and the resulting changes of its meetings: a late event may split what looked like one meeting. */
function withMeetings(room: string, state: RoomState, news: MeetingEvent): MeetingEvent[] {
  if (state.created.length + state.destroyed.length >= ROOM_EVENTS_MAX) {
    throw new Refusal('CONFLICT', `room ${room} has had ${ROOM_EVENTS_MAX} events; use another name`)
  }
  const standing = meetingsOf(evolve(state, news))
  const keys = new Set(standing.map(meetingKey))
  const gone = state.held.filter((key) => !keys.has(key)).map(meetingOfKey)
  const found = standing.filter((meeting) => !state.held.includes(meetingKey(meeting)))
  return [
    news,
    ...gone.map((meeting): MeetingEvent => ({ type: 'MeetingWithdrawn', data: { room, ...meeting } })),
    ...found.map((meeting): MeetingEvent => ({ type: 'MeetingHeld', data: { room, ...meeting } })),
  ]
}

/**
 * A creation and the first destruction after it are one meeting, unless the room was created again in between: then
 * the destruction was lost. A destruction at the very time of a creation belongs to an earlier meeting.
 */
export function meetingsOf({ created, destroyed }: Pick<RoomState, 'created' | 'destroyed'>): Meeting[] {
  return created.flatMap((startedAt, n) => {
    const endedAt = destroyed.find((at) => at > startedAt)
    const next = created[n + 1]
    return endedAt === undefined || (next !== undefined && next < endedAt) ? [] : [{ startedAt, endedAt }]
  })
}

export function durationOf({ startedAt, endedAt }: Meeting): number {
  return (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000
}

/** Times have a fixed length and sort as text. */
function meetingKey({ startedAt, endedAt }: Meeting): string {
  return `${startedAt}/${endedAt}`
}

function meetingOfKey(key: string): Meeting {
  const [startedAt = '', endedAt = ''] = key.split('/')
  return { startedAt, endedAt }
}

function inOrder(times: readonly string[], time: string): string[] {
  return [...times, time].sort()
}

export const meetingDecider: Decider<RoomState, RoomCommand, MeetingEvent> = {
  initialState: () => ({ created: [], destroyed: [], held: [], insights: [] }),
  evolve,
  decide,
}
