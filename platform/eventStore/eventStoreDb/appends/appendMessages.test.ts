import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeAppend } from '../../eventGuard.ts'
import { positionOf } from '../commitPosition.ts'
import { appendAnswer, readAnswer } from './appendAnswer.ts'
import { requestMessage } from './appendRequest.ts'
import { SentEvents } from './sentEvents.ts'

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

describe('a request', () => {
  const anyEvent = fc.record({
    id: fc.uuid(),
    type: fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,99}$/),
    data: fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 300 }) }),
  })
  const metadata = { schemaVersion: 1, correlationId: 'ä', causationId: 'b', actor: { kind: 'system', name: 'test' } }

  test('is read by the generated classes as it was given', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.stringMatching(/^[a-z]{1,20}-[\wäß東]{1,200}$/),
        fc.oneof(fc.constant('any' as const), fc.constant('none' as const), fc.maxSafeNat()),
        fc.uniqueArray(anyEvent, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
        fc.integer({ min: 0, max: 4_000_000_000_000 }),
        (appendId, stream, expected, given, storableUntilMs) => {
          const events = encodeAppend(
            stream,
            given.map((event) => ({ ...event, metadata }) as Parameters<typeof encodeAppend>[1][number]),
          )
          const nameOnServer = `tollgate.${stream}`
          const sent = new SentEvents()
          const bytes = requestMessage({ appendId, stream, nameOnServer, expected, events, storableUntilMs }, sent)
          const read = streamsPb.BatchAppendReq.deserializeBinary(bytes)
          expect(read.getCorrelationId()?.getString()).toBe(appendId)
          expect(read.getIsFinal()).toBe(true)
          const options = read.getOptions()
          expect(text(options?.getStreamIdentifier()?.getStreamName_asU8())).toBe(nameOnServer)
          expect([options?.hasAny(), options?.hasNoStream(), options?.hasStreamPosition()]).toEqual([
            expected === 'any',
            expected === 'none',
            typeof expected === 'number',
          ])
          if (typeof expected === 'number') expect(Number(options?.getStreamPosition())).toBe(expected)
          const deadline = options?.getDeadline()
          expect((deadline?.getSeconds() ?? 0) * 1_000 + (deadline?.getNanos() ?? 0) / 1_000_000).toBe(storableUntilMs)
          const proposed = read.getProposedMessagesList().map((message) => ({
            id: message.getId()?.getString(),
            type: message.getMetadataMap().get('type'),
            contentType: message.getMetadataMap().get('content-type'),
            data: JSON.parse(text(message.getData_asU8())),
            metadata: JSON.parse(text(message.getCustomMetadata_asU8())),
          }))
          for (const [n, message] of read.getProposedMessagesList().entries()) {
            const data = Buffer.from(message.getData_asU8())
            const metadataBytes = Buffer.from(message.getCustomMetadata_asU8())
            const { id, type, source } = events[n] as (typeof events)[number]
            expect(sent.find(id, type, data, metadataBytes)).toBe(expected === 'any' ? source : null)
          }
          const mark = expected === 'any' ? {} : { appendId }
          expect(proposed).toEqual(
            given.map((event) => ({
              ...event,
              contentType: 'application/json',
              metadata: { ...metadata, ...mark },
            })),
          )
        },
      ),
    )
  })
})

describe('an answer', () => {
  const request = { stream: 'test-1', expected: 0 } as const
  const encoded = (response: streamsPb.BatchAppendResp) => Buffer.from(response.serializeBinary())
  const responseTo = (appendId: string) => {
    const id = new sharedPb.UUID()
    id.setString(appendId)
    const response = new streamsPb.BatchAppendResp()
    response.setCorrelationId(id)
    return response
  }

  test('of an append that was stored has its revision and position', () => {
    const position = new sharedPb.AllStreamPosition()
    position.setCommitPosition('123456789012')
    position.setPreparePosition('1')
    const success = new streamsPb.BatchAppendResp.Success()
    success.setCurrentRevision('300')
    success.setPosition(position)
    const response = responseTo('an id')
    response.setSuccess(success)
    const answer = appendAnswer(encoded(response))
    expect(answer.appendId).toBe('an id')
    expect(readAnswer(request, answer)).toEqual({ revision: 300, position: positionOf(123_456_789_012n) })
  })

  test('of a repetition that is not indexed yet has no position', () => {
    const success = new streamsPb.BatchAppendResp.Success()
    success.setCurrentRevision('0')
    success.setNoPosition(new sharedPb.Empty() as never)
    const response = responseTo('an id')
    response.setSuccess(success)
    expect(readAnswer(request, appendAnswer(encoded(response)))).toEqual({ revision: 0, position: null })
  })

  test('without a result throws', () => {
    expect(() => readAnswer(request, appendAnswer(encoded(responseTo('an id'))))).toThrow('unknown whether the append')
  })
})
