import { z } from 'zod'
import { jsonBody } from '../../../platform/http/body/bodyReaders.ts'
import { route } from '../../../platform/http/route.ts'
import {
  type RoomEventSink,
  recordRoomEvent,
  roomEventAnswer,
  roomEventDescription,
  roomEventFields,
  roomEventRefusals,
} from '../meetings/roomEvent.ts'

export const roomDestroyed = (sink: RoomEventSink) =>
  route({
    method: 'POST',
    traced: true,
    path: '/api/events/room/destroyed',
    access: 'internal',
    tag: 'Meetings',
    summary: 'A meeting room was destroyed',
    description: roomEventDescription,
    body: jsonBody(z.object({ event: z.literal('room_destroyed'), ...roomEventFields })),
    answer: roomEventAnswer,
    refusals: roomEventRefusals,
    handle: ({ body }) => recordRoomEvent(sink, 'DestroyRoom', body),
  })
