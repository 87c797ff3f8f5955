import { Worker } from 'node:worker_threads'
import type { OpenRuntime } from '../../capabilities/installation.ts'
import type { Config } from '../../platform/config/config.ts'
import type { RunningService } from '../../platform/service.ts'
import type { BackgroundData, FromBackground, ToBackground } from './backgroundMessages.ts'

const RESTART_DELAY_MS = 1_000
/**
 * A scrape waits no longer than this for a thread that is starting, busy or gone. The thread itself waits 3 s for a
 * metric that is read from a database.
 */
const METRICS_MS_MAX = 4_000

export type Background = RunningService & {
  /** Starts the reactor and the relay too, once the services that they call answer. */
  startReactor(): void
}

/** Starts a thread that loads its code and then waits for its first message. */
export function loadBackground(config: Config): Worker {
  return new Worker(new URL('./backgroundThread.ts', import.meta.url), {
    workerData: { config } satisfies BackgroundData,
  })
}

/**
 * Starts the projector in its own thread. The thread holds nothing that is not in the database: if it dies, it is
 * replaced, and calls continue meanwhile.
 */
export function startBackground(
  runtime: OpenRuntime,
  databaseUrl: string,
  loaded = loadBackground(runtime.config),
): Background {
  const { config, log, clock } = runtime
  const stopping = new AbortController()
  const waiting = new Map<number, (text: string) => void>()
  let lastId = 0
  let runsReactor = false
  let thread = begin(loaded)
  const ended = watch()

  function begin(worker: Worker): Worker {
    worker.on('error', (error) => log.error({ err: error }, 'the background thread failed'))
    worker.on('message', (message: FromBackground) => {
      if (message.type === 'log') return runtime.writeLogLine(message.line)
      waiting.get(message.id)?.(message.text)
    })
    send(worker, { type: 'startProjector', databaseUrl })
    if (runsReactor) send(worker, { type: 'startReactor' })
    return worker
  }

  async function watch(): Promise<void> {
    for (;;) {
      // Not events.once, which rejects when the thread emits its error before its exit.
      await new Promise((resolve) => thread.once('exit', resolve))
      for (const answer of waiting.values()) answer('')
      if (stopping.signal.aborted) return
      log.error('the background thread has ended and is started again')
      await clock.delay(RESTART_DELAY_MS, stopping.signal)
      if (stopping.signal.aborted) return
      thread = begin(loadBackground(config))
    }
  }

  runtime.metrics.addSource(() => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const id = ++lastId
    const timer = clock.after(METRICS_MS_MAX, () => resolve(''))
    waiting.set(id, resolve)
    send(thread, { type: 'metrics', id })
    return promise.finally(() => {
      timer.cancel()
      waiting.delete(id)
    })
  })
  return {
    name: 'projector and reactor',
    url: null,
    startReactor: () => {
      runsReactor = true
      send(thread, { type: 'startReactor' })
    },
    drain: async () => {
      stopping.abort()
      send(thread, { type: 'drain' })
      await ended
    },
  }
}

function send(worker: Worker, message: ToBackground): void {
  worker.postMessage(message)
}
