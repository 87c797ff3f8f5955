import type { StreamChunk } from './streamChunk.ts'
import type { Usage } from './usage.ts'

export type StreamEnd = {
  /** The last usage block that could be read. */
  readonly usage: Usage | null
  /** Every choice that was asked for got its finish_reason. */
  readonly finished: boolean
  readonly sawDone: boolean
}

export type StreamGate = {
  /** Takes the events in order; null stands for an event without data, such as a comment. */
  admit(chunk: StreamChunk | null): 'pass' | 'hold'
  end(): StreamEnd
}

/**
 * Decides which events of a stream may be sent at once. The event with the last finish_reason and all after it are held
 * until the charge is durable, because a caller that has them has the whole answer. `[DONE]` is always held: a provider
 * that sends fewer choices than requested has no last finish_reason.
 */
export function createStreamGate({ choices }: { readonly choices: number }): StreamGate {
  const finishedChoices = new Set<number>()
  let usage: Usage | null = null
  let sawDone = false

  const finished = () => finishedChoices.size >= choices

  return {
    admit(chunk) {
      if (chunk?.kind === 'done') sawDone = true
      if (chunk?.kind === 'chunk') {
        usage = chunk.usage ?? usage
        for (const index of chunk.finishedChoices) {
          if (!finished()) finishedChoices.add(index)
        }
      }
      return sawDone || finished() ? 'hold' : 'pass'
    },
    end: () => ({ usage, finished: finished(), sawDone }),
  }
}
