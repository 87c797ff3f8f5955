import { describe, expect, test, vi } from 'vitest'
import { memoryLogFanOut } from '../sharedState/memorySharedState.ts'
import type { LogDelivery } from '../sharedState/port.ts'
import { openLog } from './logger.ts'
import { LOG_ENTRY_CHARS_MAX, parseLogLine, publishLinesTo } from './logLines.ts'

async function firstOf(subscription: AsyncIterableIterator<LogDelivery>): Promise<LogDelivery> {
  const { value } = await subscription.next()
  return value
}

describe('a log with readers', () => {
  test('publishes each line with its secrets redacted', async () => {
    const { log, tap } = openLog({ level: 'info', file: '/dev/null' })
    const fanOut = memoryLogFanOut()
    tap(publishLinesTo(fanOut, 'gateway'))
    const subscription = fanOut.subscribe()
    log.debug('not at this level')
    log.child({ room: 7 }).warn({ apiKey: 'open-sesame', deep: { token: 'x' }, err: new Error('no luck') }, 'look here')
    expect(await firstOf(subscription)).toEqual({
      lostBefore: 0,
      entry: {
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        level: 'warn',
        message: 'look here',
        context: {
          room: 7,
          apiKey: '***',
          deep: { token: '***' },
          err: expect.objectContaining({ message: 'no luck' }),
        },
        service: 'gateway',
      },
    })
  })

  test('publishes lines of other threads', async () => {
    const { write, tap } = openLog({ level: 'info', file: '/dev/null' })
    const fanOut = memoryLogFanOut()
    tap(publishLinesTo(fanOut, 'projector'))
    const subscription = fanOut.subscribe()
    write('{"level":50,"time":"2026-01-01T00:00:00.000Z","msg":"from afar"}\n')
    expect((await firstOf(subscription)).entry).toMatchObject({ level: 'error', message: 'from afar', context: {} })
  })

  test('does not parse lines while there are no readers', () => {
    const publish = vi.fn()
    publishLinesTo({ hasReaders: false, publish, subscribe: vi.fn() }, 'gateway')('not JSON')
    expect(publish).not.toHaveBeenCalled()
  })
})

test('a line above the limit is shortened and loses its context', () => {
  const line = JSON.stringify({ level: 30, time: 'now', msg: 'x'.repeat(100_000), more: 'y'.repeat(100_000) })
  const entry = parseLogLine(line, 'ai')
  expect(entry.message).toHaveLength(LOG_ENTRY_CHARS_MAX)
  expect(entry.context).toEqual({ omitted: expect.stringMatching(/^\d+ characters/) })
})
