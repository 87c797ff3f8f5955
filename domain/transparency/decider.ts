import type { TransparencyEvent } from '../../contracts/events/transparency.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

/** What the log has published. */
export type TransparencyState = {
  /** null: the configured one. */
  readonly origin: string | null
  /** The latest checkpoint, of any origin. */
  readonly last: LastCheckpoint | null
  /** The verifier key that replaced another one of the current origin; undefined while the first one signs. */
  readonly vkey?: string
}

type LastCheckpoint = {
  readonly origin: string
  readonly size: number
  readonly root: string
  /** Its key was replaced since, so the same tree is signed again. */
  readonly isByOldKey?: true
}

export function evolve(state: TransparencyState, event: TransparencyEvent): TransparencyState {
  switch (event.type) {
    case 'CheckpointSigned': {
      const { origin, size, root } = event.data
      return { ...state, last: { origin, size, root } }
    }
    case 'LogKeyRotated':
      return { ...state, vkey: event.data.newVkey, last: state.last && { ...state.last, isByOldKey: true } }
    case 'LogOriginStarted':
      return { origin: event.data.origin, last: state.last }
    // On its own stream.
    case 'EventRepaired':
      return state
    default:
      return unexpected(event)
  }
}

export type TransparencyCommand =
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
      readonly type: 'RotateKey'
      readonly origin: string
      readonly oldVkey: string
      readonly newVkey: string
      readonly size: number
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

export function decide(command: TransparencyCommand, { last, ...state }: TransparencyState): TransparencyEvent[] {
  switch (command.type) {
    case 'SignCheckpoint': {
      const { origin, size, root, note, at: signedAt } = command
      if (last?.origin === origin) {
        if (size < last.size)
          throw new Refusal('CONFLICT', `the log was ${last.size} entries long, it cannot be ${size}`)
        if (size === last.size && root !== last.root) {
          throw new Refusal('CONFLICT', `a checkpoint of size ${size} with another root is signed already`)
        }
        if (size === last.size && !last.isByOldKey) return []
      }
      return [{ type: 'CheckpointSigned', data: { origin, size, root, note, signedAt } }]
    }
    case 'RotateKey': {
      const { type: _, at: rotatedAt, ...rotation } = command
      if (rotation.newVkey === (state.vkey ?? rotation.oldVkey)) return []
      if (state.vkey !== undefined && state.vkey !== rotation.oldVkey) {
        throw new Refusal('CONFLICT', `the key ${rotation.oldVkey} was replaced by ${state.vkey} already`)
      }
      return [{ type: 'LogKeyRotated', data: { ...rotation, rotatedAt } }]
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

export const transparencyDecider: Decider<TransparencyState, TransparencyCommand, TransparencyEvent> = {
  initialState: () => ({ origin: null, last: null }),
  evolve,
  decide,
}
