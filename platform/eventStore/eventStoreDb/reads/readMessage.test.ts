import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventMessage as encodedEvent } from '../../../../test/support/eventStores/eventStoreNode/messages.ts'
import { readMessage } from './readMessage.ts'

const { ReadResp } = streamsPb
const bytesOf = (message: { serializeBinary(): Uint8Array }) => Buffer.from(message.serializeBinary())

const anyEvent = fc.record({
  id: fc.uuid(),
  stream: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
  revision: fc.maxSafeNat(),
  position: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  type: fc.string({ unit: 'grapheme' }),
  isJson: fc.boolean(),
  createdMs: fc.integer({ min: 1, max: 4_000_000_000_000 }),
  data: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  metadata: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
})

test('an event is decoded as the generated classes encode it', () => {
  fc.assert(
    fc.property(anyEvent, ({ position, ...event }) => {
      const message = encodedEvent({ ...event, position })
      // The generated classes lose the last digits of a time if they are given it as a number.
      const ticks = `${event.createdMs}0000`
      message.getEvent()?.getEvent()?.getMetadataMap().set('created', ticks)
      const bytes = bytesOf(message)
      expect(readMessage(bytes)).toEqual({ kind: 'event', event: { ...event, commit: position }, bytes: bytes.length })
    }),
  )
})

test('an event of a server that sends no positions has none', () => {
  const read = new ReadResp.ReadEvent()
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
  const id = new sharedPb.UUID()
  id.setString('an id')
  recorded.setId(id)
  read.setEvent(recorded)
  const response = new ReadResp()
  response.setEvent(read)
  expect(readMessage(bytesOf(response))).toMatchObject({ kind: 'event', event: { id: 'an id', commit: null } })
})

test('other messages are told apart, and unknown ones are skipped', () => {
  const checkpoint = new ReadResp()
  const at = new ReadResp.Checkpoint()
  at.setCommitPosition('12345678901')
  at.setPreparePosition('7')
  checkpoint.setCheckpoint(at)
  expect(readMessage(bytesOf(checkpoint))).toEqual({ kind: 'checkpoint', commit: 12_345_678_901 })
  const caughtUp = new ReadResp()
  caughtUp.setCaughtUp(new ReadResp.CaughtUp())
  expect(readMessage(bytesOf(caughtUp))).toEqual({ kind: 'caughtUp' })
  const notFound = new ReadResp()
  notFound.setStreamNotFound(new ReadResp.StreamNotFound())
  expect(readMessage(bytesOf(notFound))).toEqual({ kind: 'streamNotFound' })
  const confirmation = new ReadResp()
  confirmation.setConfirmation(new ReadResp.SubscriptionConfirmation())
  expect(readMessage(bytesOf(confirmation))).toEqual({ kind: 'other' })
  // Field 100 as a varint, field 101 as eight bytes, field 102 as four.
  const unknown = Buffer.from([0xa0, 0x06, 0x01, 0xa9, 0x06, 1, 2, 3, 4, 5, 6, 7, 8, 0xb5, 0x06, 1, 2, 3, 4])
  expect(readMessage(Buffer.concat([unknown, bytesOf(caughtUp)]))).toEqual({ kind: 'caughtUp' })
})

test('a checkpoint of -1 is larger than every position', () => {
  const checkpoint = new ReadResp()
  const at = new ReadResp.Checkpoint()
  at.setCommitPosition(String(2n ** 64n - 1n))
  checkpoint.setCheckpoint(at)
  expect(readMessage(bytesOf(checkpoint))).toEqual({ kind: 'checkpoint', commit: 2 ** 64 })
})

test('a message that is cut off or garbled throws or is read as another, and never reads beyond its end', () => {
  const whole = bytesOf(
    encodedEvent({
      id: 'an id',
      stream: 'test-1',
      revision: 1,
      position: 2,
      type: 'Something',
      isJson: true,
      createdMs: 3,
      data: Buffer.from('{}'),
      metadata: Buffer.from('{}'),
    }),
  )
  for (let length = 1; length < whole.length; length++) {
    expect(() => readMessage(whole.subarray(0, length))).toThrow('in the middle of a field')
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        readMessage(Buffer.from(bytes))
      } catch (error) {
        expect((error as Error).message).toMatch(/^a protobuf (field|message)/)
      }
    }),
  )
})
