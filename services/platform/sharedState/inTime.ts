/** A call waits no longer for the shared counters; then its gateway goes on alone. */
export const SHARED_STATE_ANSWER_MS = 250

/**
 * The answer, or an error when it does not come in time. The client's own time-outs do not hold for a command that waits
 * for its turn in a pipeline.
 */
export function inTime<Answer>(asked: Promise<Answer>, ms: number = SHARED_STATE_ANSWER_MS): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => {
    // After a stall of this process timers ring before the socket is read: an answer that lies there is in time.
    setImmediate(() => reject(new Error(`no answer within ${ms} ms`)))
  }, ms)
  asked.then(
    (answer) => {
      clearTimeout(timer)
      resolve(answer)
    },
    (error: unknown) => {
      clearTimeout(timer)
      reject(error)
    },
  )
  return promise
}
