import { type Clock, NOT_NEEDED } from './clock.ts'

/** Whether the promise settles in time. The timer does not outlive it; what it rejects with is thrown. */
export async function settlesWithin(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const settled = new AbortController()
  const inTime = promise.then(() => true)
  const timeIsUp = clock.delay(ms, settled.signal).then(() => false)
  return Promise.race([inTime, timeIsUp]).finally(() => settled.abort(NOT_NEEDED))
}

/** What the promise gives, if it gives it in time; the signal cuts the wait short. */
export async function within<Result>(
  promise: Promise<Result>,
  ms: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Result> {
  const settled = new AbortController()
  const endWait = () => settled.abort()
  signal?.addEventListener('abort', endWait)
  if (signal?.aborted) endWait()
  const timeIsUp = clock.delay(ms, settled.signal).then((): never => {
    throw new Error(signal?.aborted ? 'nobody waits for it any more' : `no answer within ${ms} ms`)
  })
  timeIsUp.catch(() => {})
  return Promise.race([promise, timeIsUp]).finally(() => {
    signal?.removeEventListener('abort', endWait)
    settled.abort(NOT_NEEDED)
  })
}
