import type { BatchResult, GeneratorEvent } from '../../contracts/events/generator.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

/**
 * A started generator runs one batch after the other until it is stopped. The stream is long, so a process that takes
 * over reads it backwards to the last BatchStarted, which determines the whole state at that point.
 */
export type GeneratorState = {
  readonly status: 'stopped' | 'running'
  /** The last batch that started; 0 if none has. */
  readonly batch: number
  /** The last batch started and is not completed. */
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
      /** The state when the pairs were read: if another process has continued since, they may already be scored. */
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
        throw new Refusal('CONFLICT', `another process has continued generator ${name}`)
      }
      // An open batch was abandoned by a process that died: its pairs remain to be scored.
      return [{ type: 'BatchStarted', data: { name, batch: batch + 1, pairs: command.pairs, startedAt: at } }]
    case 'CompleteBatch':
      // Even after a stop. A process that was replaced meanwhile finds that another one started the next batch.
      if (!isOpen || command.batch !== batch) {
        throw new Refusal('CONFLICT', `batch ${command.batch} of generator ${name} is not in progress`)
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
