import { z } from 'zod'
import type { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { Refusal } from '../../../domain/decider.ts'
import { meetingDecider } from '../../../domain/meeting/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { AppendOutcomeUnknown, StoreUnavailable } from '../../../platform/eventStore/port.ts'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { jsonBody } from '../../../platform/http/body/bodyReaders.ts'
import { route } from '../../../platform/http/route.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import { roomStream } from '../meetings/roomStream.ts'

/** Limit of a room name in UTF-8. Names that link a job and a talent need half of it. */
export const ROOM_NAME_BYTES_MAX = 180

const RETRY_AFTER_SECONDS = 5

/** The fields that both hooks of the meeting server have. */
const fields = {
  room: z
    .string()
    .min(1)
    .refine((name) => Buffer.byteLength(name) <= ROOM_NAME_BYTES_MAX, `has more than ${ROOM_NAME_BYTES_MAX} bytes`)
    .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'has a control character')
    .meta({ description: 'The room name. job-<jobId>--talent-<talentId>[--anything] links a job and a talent.' }),
  timestamp: z.iso
    .datetime({ offset: true })
    .regex(/(Z|[+-]00:00)$/, 'is not in UTC')
    .refine((text) => !Number.isNaN(Date.parse(text)), 'is not a valid time')
    .meta({ description: 'When it happened: ISO 8601, in UTC' }),
}

const answer = z.object({
  received: z.literal(true),
  duplicate: z.literal(true).optional().meta({ description: 'The event was received before, and nothing changed' }),
})

type RoomEventSink = { readonly commands: CommandHandler; readonly ids: Ids }

const roomRoute = (sink: RoomEventSink, event: 'created' | 'destroyed', command: 'CreateRoom' | 'DestroyRoom') =>
  route({
    method: 'POST',
    traced: true,
    path: `/api/events/room/${event}`,
    access: 'internal',
    tag: 'Meetings',
    summary: `A meeting room was ${event}`,
    description: 'A repeated event changes nothing. A room that was created and destroyed leads to an insight.',
    body: jsonBody(z.object({ event: z.literal(`room_${event}`), ...fields })),
    answer,
    refusals: { 409: 'The room has too many events', 503: 'The event could not be stored; send it again' },
    handle: ({ body }) => recordRoomEvent(sink, command, body),
  })

export const roomCreated = (sink: RoomEventSink) => roomRoute(sink, 'created', 'CreateRoom')
export const roomDestroyed = (sink: RoomEventSink) => roomRoute(sink, 'destroyed', 'DestroyRoom')

/** Records an event of a room. Neither the order of events matters, nor how often one arrives. */
async function recordRoomEvent(
  { commands, ids }: RoomEventSink,
  type: 'CreateRoom' | 'DestroyRoom',
  { room, timestamp }: { readonly room: string; readonly timestamp: string },
): Promise<z.infer<typeof answer>> {
  const command = { type, room, happenedAt: isoTime(Date.parse(timestamp)) }
  const context = {
    commandId: ids.uuid(),
    correlationId: ids.uuid(),
    actor: { kind: 'system', name: 'meeting server' },
  } as const
  try {
    const { events } = await commands.handle(meetingDecider, roomStream(room), command, context)
    return events.length > 0 ? { received: true } : { received: true, duplicate: true }
  } catch (error) {
    if (error instanceof Refusal) throw new HttpError(409, error.message)
    if (error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown) {
      throw new HttpError(503, 'The event could not be stored; send it again.', {
        'retry-after': String(RETRY_AFTER_SECONDS),
      })
    }
    throw error
  }
}
