import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../../../domain/decider.ts'
import { meetingDecider, type RoomCommand } from '../../../domain/meeting/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { CommandHandler } from '../../platform/commands/commandHandler.ts'
import { AppendOutcomeUnknown, StoreUnavailable } from '../../platform/eventStore/port.ts'
import { type DocumentedRoute, RouteRefusal, route } from '../../platform/http/documentedRoute.ts'
import { roomStream } from '../meetings/roomStream.ts'

/** In UTF-8. Room names with a job, a talent and something more are half as long. */
export const ROOM_NAME_BYTES_MAX = 180

const RETRY_AFTER_SECONDS = 5

const room = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= ROOM_NAME_BYTES_MAX, `has more than ${ROOM_NAME_BYTES_MAX} bytes`)
  .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'has a control character')
  .meta({ description: 'The room name. job-<jobId>--talent-<talentId>[--anything] links a job and a talent.' })

const timestamp = z.iso
  .datetime({ offset: true })
  .regex(/(Z|[+-]00:00)$/, 'is not in UTC')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'is no time')
  .meta({ description: 'When it happened: ISO 8601, in UTC' })

const answer = z.object({
  received: z.literal(true),
  duplicate: z.literal(true).optional().meta({ description: 'It was received before, and nothing changed' }),
})

/** Both hooks of the meeting server. Their order does not matter, nor how often one comes. */
export function roomEvents(commands: CommandHandler): DocumentedRoute[] {
  return [
    hook(commands, 'created', 'room_created', 'CreateRoom'),
    hook(commands, 'destroyed', 'room_destroyed', 'DestroyRoom'),
  ]
}

function hook(
  commands: CommandHandler,
  what: 'created' | 'destroyed',
  event: 'room_created' | 'room_destroyed',
  type: 'CreateRoom' | 'DestroyRoom',
): DocumentedRoute {
  return route({
    method: 'POST',
    path: `/api/events/room/${what}`,
    access: 'internal',
    tag: 'Meetings',
    summary: `A meeting room was ${what}`,
    description: 'The same event twice changes nothing. A room that was created and destroyed leads to an insight.',
    body: z.object({ event: z.literal(event), room, timestamp }),
    answer,
    refusals: { 409: 'The room has had too many events', 503: 'It could not be stored; send it again' },
    handle: async ({ body }) => {
      const happenedAt = isoTime(Date.parse(body.timestamp))
      const isNew = await record(commands, { type, room: body.room, happenedAt })
      return { received: true as const, ...(isNew ? {} : { duplicate: true as const }) }
    },
  })
}

async function record(commands: CommandHandler, command: RoomCommand): Promise<boolean> {
  const context = {
    commandId: randomUUID(),
    correlationId: randomUUID(),
    actor: { kind: 'system', name: 'meeting server' },
  } as const
  try {
    const { events } = await commands.handle(meetingDecider, roomStream(command.room), command, context)
    return events.length > 0
  } catch (error) {
    if (error instanceof Refusal) throw new RouteRefusal(409, error.message)
    if (error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown) {
      throw new RouteRefusal(503, 'It could not be stored now; send it again.', {
        'retry-after': String(RETRY_AFTER_SECONDS),
      })
    }
    throw error
  }
}
