import type { BatchResult, GeneratorEvent } from '../../contracts/events/generator.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

/**
 * Started, it does one batch after the other until it is stopped. The stream is long, so whoever goes on with it reads it
 * back to the last BatchStarted, which tells all of the state at that point.
 */
export type GeneratorState = {
  readonly status: 'stopped' | 'running'
  /** The last that was begun; 0: none was. */
  readonly batch: number
  /** It was begun and has not been completed. */
  readonly isOpen: boolean
}

export function evolve(state: GeneratorState, event: GeneratorEvent): GeneratorState {
  switch (event.type) {
    case 'GeneratorStarted':
      return { status: 'running', batch: event.data.lastBatch, isOpen: state.isOpen }
    case 'BatchStarted':
      return { status: 'running', batch: event.data.batch, isOpen: true }
    case 'BatchCompleted':
      return { status: state.status, batch: event.data.batch, isOpen: false }
    case 'GeneratorStopped':
      return { status: 'stopped', batch: event.data.lastBatch, isOpen: state.isOpen }
    default:
      return unexpected(event)
  }
}

export type GeneratorCommand =
  | { readonly type: 'StartGenerator' | 'StopGenerator'; readonly name: string; readonly at: string }
  | {
      readonly type: 'StartBatch'
      readonly name: string
      readonly pairs: number
      /** What the batches were like when the pairs were read: if somebody went on since, they may be done already. */
      readonly since: Pick<GeneratorState, 'batch' | 'isOpen'>
      readonly at: string
    }
  | {
      readonly type: 'CompleteBatch'
      readonly name: string
      readonly batch: number
      readonly result: BatchResult
      readonly at: string
    }

export function decide(command: GeneratorCommand, state: GeneratorState): GeneratorEvent[] {
  const { name, at } = command
  const { status, batch, isOpen } = state
  switch (command.type) {
    case 'StartGenerator':
      if (status === 'running') return []
      return [{ type: 'GeneratorStarted', data: { name, lastBatch: batch, startedAt: at } }]
    case 'StopGenerator':
      if (status === 'stopped') return []
      return [{ type: 'GeneratorStopped', data: { name, lastBatch: batch, stoppedAt: at } }]
    case 'StartBatch':
      if (status === 'stopped') throw new Refusal('CONFLICT', `generator ${name} is stopped`)
      if (command.since.batch !== batch || command.since.isOpen !== isOpen) {
        throw new Refusal('CONFLICT', `another process has gone on with generator ${name}`)
      }
      // One that is open was given up by a process that died: its pairs are still to be scored.
      return [{ type: 'BatchStarted', data: { name, batch: batch + 1, pairs: command.pairs, startedAt: at } }]
    case 'CompleteBatch':
      // Also after a stop. Whoever was replaced meanwhile finds that another has begun the next batch.
      if (!isOpen || command.batch !== batch) {
        throw new Refusal('CONFLICT', `batch ${command.batch} of generator ${name} is not under way`)
      }
      return [{ type: 'BatchCompleted', data: { name, batch, ...command.result, completedAt: at } }]
    default:
      return unexpected(command)
  }
}

export const generatorDecider: Decider<GeneratorState, GeneratorCommand, GeneratorEvent> = {
  initialState: () => ({ status: 'stopped', batch: 0, isOpen: false }),
  evolve,
  decide,
}
