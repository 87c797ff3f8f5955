import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import type { Installation } from '../../../capabilities/installation.ts'
import { Refusal } from '../../../domain/decider.ts'
import { type Meeting, meetingDecider } from '../../../domain/meeting/decider.ts'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import { type FactSources, meetingFacts } from '../meetings/meetingFacts.ts'
import { roomStream } from '../meetings/roomStream.ts'
import { summariseMeeting } from '../meetings/summariseMeeting.ts'
import type { BackgroundModels } from '../models/backgroundModels.ts'
import type { Worker } from './worker.ts'

export type MeetingWorkerOptions = {
  readonly engines: Pick<Installation, 'store' | 'personal' | 'commands'>
  readonly models: Pick<BackgroundModels, 'extract'>
  readonly scoreOf: FactSources['scoreOf']
  readonly clock: Clock
  readonly ids: Ids
}

type MeetingTask = Meeting & { readonly room: string }

/** Generates the insight of a meeting that is over. */
export function meetingWorker({ engines, models, scoreOf, clock, ids }: MeetingWorkerOptions): Worker<'meeting'> {
  return {
    name: 'meeting_worker',
    categories: ['meeting'],
    consider: (event) => {
      if (event.type !== 'MeetingHeld') return { tasks: [] }
      const { room, startedAt, endedAt } = event.data
      const subject = `meeting of ${startedAt} in room ${room}`
      return { tasks: [{ cause: keyOf(event.data), subject, payload: { room, startedAt, endedAt } }] }
    },
    perform: async ({ taskId, payload }) => {
      const { room, ...meeting } = payload as MeetingTask
      const { facts, ...links } = await meetingFacts({ ...engines, scoreOf }, room, meeting)
      const summary = await summariseMeeting(models, facts)
      const insightId = deterministicId(`insight:${keyOf({ room, ...meeting })}`)
      try {
        await engines.commands.handle(
          meetingDecider,
          roomStream(room),
          {
            type: 'GenerateInsight',
            room,
            ...meeting,
            insightId,
            ...links,
            ...summary,
            at: isoTime(clock.now()),
          },
          // A model may answer differently each time, so the decider detects a repetition, not the command id.
          { commandId: ids.uuid(), correlationId: taskId, actor: { kind: 'system', name: 'meeting_worker' } },
        )
      } catch (error) {
        // Events that arrived late have split the meeting in two.
        if (!(error instanceof Refusal)) throw error
      }
    },
  }
}

function keyOf({ room, startedAt, endedAt }: MeetingTask): string {
  return `${startedAt}/${endedAt}/${room}`
}
