import type { ReportedUsage } from '../usage/usageShape.ts'
import type { StreamChunk } from './streamChunk.ts'
import type { StreamGate } from './streamFormat.ts'

/**
 * Decides which events of a stream may be sent at once. An event with a finish_reason is held until the charge is
 * durable, because a caller that has it has a complete answer. The other choices go on: of a choice that is held, all
 * later events are held too, so that the order within a choice stays. `[DONE]` is always held: a provider that sends
 * fewer choices than requested has no last finish_reason.
 */
export function createStreamGate({ choices }: { readonly choices: number }): StreamGate<StreamChunk> {
  const finishedChoices = new Set<number>()
  const heldChoices = new Set<number>()
  let usage: ReportedUsage | null = null
  let sawDone = false

  const isOver = () => sawDone || finishedChoices.size >= choices

  return {
    admit(chunk) {
      if (chunk?.kind === 'done') sawDone = true
      if (chunk?.kind === 'chunk') usage = chunk.usage ?? usage
      if (isOver()) return 'hold'
      if (chunk?.kind !== 'chunk') return 'pass'
      for (const index of chunk.finishedChoices) finishedChoices.add(index)
      if (finishedChoices.size === 0) return 'pass'
      // Without choices it is a usage block or the like, and belongs behind what is held.
      const isHeld =
        chunk.finishedChoices.length > 0 ||
        chunk.choices.length === 0 ||
        chunk.choices.some((index) => heldChoices.has(index))
      if (!isHeld) return 'pass'
      for (const index of chunk.choices) heldChoices.add(index)
      return 'hold'
    },
    get isEnding() {
      return sawDone || finishedChoices.size > 0
    },
    end: () => ({ usage, finished: finishedChoices.size >= choices, sawDone }),
    // Without `[DONE]`, so that a client can tell it from a complete answer.
    failure: (error) => `data: ${JSON.stringify(error)}\n\n`,
  }
}
