import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { connectPausedCaller, type PausedCaller } from '../../../test/support/callers/pausedCaller.ts'
import { DONE, finishes, says, usageBlock } from '../../../test/support/parties/scriptedProvider.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { until } from '../../../test/support/time/until.ts'
import { LargeJson } from '../largeJson/largeJson.ts'
import type { RequestContext } from '../requestContext.ts'
import { disguiseOf } from '../wire/answers/answerModel.ts'
import { CHAT_WIRE } from '../wire/wireFormats.ts'
import type { BegunCall } from './beginCall.ts'
import { LateReads } from './lateReads.ts'
import { answerStream } from './streamedCall.ts'

/** More than the connection's buffers hold, so that the gateway waits for its caller to read. */
const LARGE = Buffer.from(says('x'.repeat(2 * 1024 * 1024)).repeat(8))

const largeJson = new LargeJson(systemClock)
afterAll(() => largeJson.close())

let caller: PausedCaller
beforeEach(async () => {
  caller = await connectPausedCaller()
})
afterEach(() => caller.close())

/** A call whose provider has sent these chunks while the gateway waits for its caller to read the first one. */
function begun(...chunks: (Buffer | string)[]) {
  const left = chunks.map((each) => Buffer.from(each))
  let ended = ''
  const sent = {
    givenUp: false,
    giveUp: () => {
      sent.givenUp = true
    },
  }
  const body = {
    get hasUnread() {
      return left.length > 0
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        // An aborted call breaks off once everything received has been read.
        const next = left.shift()
        if (next) yield next
        else if (sent.givenUp) throw new Error('the call was aborted')
        else return
      }
    },
  }
  const record = {
    answerWritten: () => {},
    charge: async () => {
      ended = 'charged'
      return '0'
    },
    abort: (reason: string) => {
      ended = reason
    },
  }
  const disguise = disguiseOf('svc/chat-default', new Redaction({ secrets: [], tables: [] }))
  const call = {
    wire: CHAT_WIRE,
    request: { n: 1 },
    disguise,
    companyId: 'a',
    drain: null,
    largeJson,
    sent,
    answer: { body },
    record,
  }
  return { call: call as unknown as BegunCall, sent, ended: () => ended }
}

async function leavesWithout(...chunks: (Buffer | string)[]) {
  const { call, sent, ended } = begun(LARGE, ...chunks)
  const { response, socket } = caller
  const lateReads = new LateReads(new ManualClock())
  const answered = answerStream({ lateReads }, { response } as RequestContext, call)
  await until('the gateway waits for the caller', () => response.writableNeedDrain)
  socket.destroy()
  await answered
  expect(lateReads.size).toBe(0)
  return { givenUp: sent.givenUp, ended: ended() }
}

test('a finish_reason that was received but not read when the caller leaves still counts', async () => {
  expect(await leavesWithout(says('day.'), finishes(), usageBlock() + DONE)).toEqual({
    givenUp: false,
    ended: 'charged',
  })
})

test('a call is aborted if nothing received has a finish_reason', async () => {
  expect(await leavesWithout(says('day.'), says('more'))).toEqual({ givenUp: true, ended: 'client_left' })
})
