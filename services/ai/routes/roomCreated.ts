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

export const roomCreated = (sink: RoomEventSink) =>
  route({
    method: 'POST',
    traced: true,
    path: '/api/events/room/created',
    access: 'internal',
    tag: 'Meetings',
    summary: 'A meeting room was created',
    description: roomEventDescription,
    body: jsonBody(z.object({ event: z.literal('room_created'), ...roomEventFields })),
    answer: roomEventAnswer,
    refusals: roomEventRefusals,
    handle: ({ body }) => recordRoomEvent(sink, 'CreateRoom', body),
  })
