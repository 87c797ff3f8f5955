import { Worker } from 'node:worker_threads'
import type { OpenRuntime } from '../../services/platform/openRuntime.ts'
import type { RunningService } from '../../services/platform/service.ts'
import type { BackgroundData, FromBackground, ToBackground } from './backgroundMessages.ts'

const RESTART_DELAY_MS = 1_000
/** A look at the figures does not wait longer for a thread that is starting, busy or gone. */
const FIGURES_MS_MAX = 2_000

/**
 * Projector and reactor, in a thread of their own. They hold nothing that is not in the database: when the thread dies
 * it is started again, and calls go on meanwhile.
 */
export function startBackground(runtime: OpenRuntime, databaseUrl: string): RunningService {
  const { config, log, clock } = runtime
  const data: BackgroundData = { config, databaseUrl }
  const stopping = new AbortController()
  const asked = new Map<number, (text: string) => void>()
  let lastId = 0
  let thread = begin()
  const ended = watch()

  function begin(): Worker {
    const worker = new Worker(new URL('./backgroundThread.ts', import.meta.url), { workerData: data })
    worker.on('error', (error) => log.error({ err: error }, 'the background thread failed'))
    worker.on('message', (message: FromBackground) => {
      if (message.type === 'log') return runtime.writeLogLine(message.line)
      asked.get(message.id)?.(message.text)
    })
    return worker
  }

  async function watch(): Promise<void> {
    for (;;) {
      // Not events.once, which rejects when the thread tells its error before its end.
      await new Promise((resolve) => thread.once('exit', resolve))
      for (const answer of asked.values()) answer('')
      if (stopping.signal.aborted) return
      log.error('the background thread has ended and is started again')
      await clock.delay(RESTART_DELAY_MS, stopping.signal)
      if (stopping.signal.aborted) return
      thread = begin()
    }
  }

  runtime.metrics.addSource(() => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const id = ++lastId
    const timer = setTimeout(() => resolve(''), FIGURES_MS_MAX)
    asked.set(id, resolve)
    thread.postMessage({ type: 'metrics', id } satisfies ToBackground)
    return promise.finally(() => {
      clearTimeout(timer)
      asked.delete(id)
    })
  })
  return {
    name: 'projector and reactor',
    url: null,
    drain: async () => {
      stopping.abort()
      thread.postMessage({ type: 'drain' } satisfies ToBackground)
      await ended
    },
  }
}
