import type { LogEvent } from '../../contracts/events/log.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

/** What the log has said in public. */
export type LogState = {
  /** null: that of the settings. */
  readonly origin: string | null
  /** The latest checkpoint, of whatever origin. */
  readonly last: { readonly origin: string; readonly size: number; readonly root: string } | null
}

export function evolve(state: LogState, event: LogEvent): LogState {
  switch (event.type) {
    case 'CheckpointSigned': {
      const { origin, size, root } = event.data
      return { ...state, last: { origin, size, root } }
    }
    case 'LogOriginStarted':
      return { ...state, origin: event.data.origin }
    default:
      return unexpected(event)
  }
}

export type LogCommand =
  | {
      readonly type: 'SignCheckpoint'
      readonly origin: string
      readonly size: number
      /** In base64. */
      readonly root: string
      readonly note: string
      readonly at: string
    }
  | {
      readonly type: 'StartOrigin'
      readonly origin: string
      readonly reason: string
      readonly size: number
      readonly at: string
    }

export function decide(command: LogCommand, { last, ...state }: LogState): LogEvent[] {
  switch (command.type) {
    case 'SignCheckpoint': {
      const { origin, size, root, note, at: signedAt } = command
      if (last?.origin === origin) {
        if (size < last.size)
          throw new Refusal('CONFLICT', `the log was ${last.size} entries long, it cannot be ${size}`)
        if (size === last.size && root !== last.root) {
          throw new Refusal('CONFLICT', `a checkpoint of size ${size} with another root is signed already`)
        }
        if (size === last.size) return []
      }
      return [{ type: 'CheckpointSigned', data: { origin, size, root, note, signedAt } }]
    }
    case 'StartOrigin': {
      const { origin, reason, size, at: startedAt } = command
      if (origin === state.origin) return []
      return [{ type: 'LogOriginStarted', data: { origin, reason, size, startedAt } }]
    }
    default:
      return unexpected(command)
  }
}

export const logDecider: Decider<LogState, LogCommand, LogEvent> = {
  initialState: () => ({ origin: null, last: null }),
  evolve,
  decide,
}
