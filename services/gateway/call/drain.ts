import type { Caller } from '../requestContext.ts'
import type { LateRead, LateReads } from './lateReads.ts'

/**
 * Watches the caller of an answer that is being waited for. When it leaves, the provider call is given up at once or, with
 * `drain`, only if the gateway stops before the answer is complete.
 */
export function whenCallerLeaves(caller: Caller, drain: LateReads | null, giveUp: () => void): LateRead {
  let lateRead: LateRead | undefined
  const onClose = () => {
    if (drain === null) giveUp()
    else lateRead = drain.begin(giveUp, null)
  }
  if (caller.destroyed) onClose()
  else caller.once('close', onClose)
  return {
    end: () => {
      caller.removeListener('close', onClose)
      lateRead?.end()
    },
  }
}
