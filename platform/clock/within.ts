import type { Clock } from './clock.ts'

/** The wait is over, and what was waited for may still happen. */
export class NoAnswerInTime extends Error {
  readonly #late: Promise<unknown>

  constructor(ms: number, late: Promise<unknown>) {
    super(`no answer within ${ms} ms`)
    this.#late = late
  }

  /** Settles with what was waited for, if that ever settles. */
  get late(): Promise<unknown> {
    return this.#late
  }
}

const TIMED_OUT = Symbol('timed out')
const CANCELED = Symbol('canceled')

/**
 * What the promise resolves to, if in time. Otherwise throws NoAnswerInTime, or an error that says that the signal
 * canceled the wait. A rejection of the promise is thrown as it is.
 */
export async function within<Result>(
  promise: Promise<Result>,
  ms: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Result> {
  const result = await settled(promise, ms, clock, signal)
  if (result === CANCELED) throw new Error('the wait was canceled')
  if (result === TIMED_OUT) throw new NoAnswerInTime(ms, promise)
  return result
}

/** Whether the promise resolves in time and before the signal aborts. A rejection of the promise is thrown as it is. */
export async function settlesWithin(
  promise: Promise<unknown>,
  ms: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<boolean> {
  const result = await settled(promise, ms, clock, signal)
  return result !== TIMED_OUT && result !== CANCELED
}

/** The timer and the listener do not outlive the wait, and a late rejection is not reported as unhandled. */
function settled<Result>(
  promise: Promise<Result>,
  ms: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<Result | typeof TIMED_OUT | typeof CANCELED> {
  return new Promise((resolve, reject) => {
    const end = () => {
      timer.cancel()
      signal?.removeEventListener('abort', cancel)
    }
    const cancel = () => {
      end()
      resolve(CANCELED)
    }
    const timer = clock.after(ms, () => {
      // After a stall of this process, timers run before sockets are read: an answer already in a socket is in time.
      setImmediate(() => {
        end()
        resolve(TIMED_OUT)
      })
    })
    promise.then(
      (result) => {
        end()
        resolve(result)
      },
      (error: unknown) => {
        end()
        reject(error)
      },
    )
    signal?.addEventListener('abort', cancel)
    if (signal?.aborted) cancel()
  })
}
