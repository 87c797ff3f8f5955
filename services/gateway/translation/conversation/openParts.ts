import { type AnswerEvent, brokenAnswer } from './answer.ts'
import type { ReasoningState } from './reasoningState.ts'

/** Parts of one answer. A model gives few; each costs memory on both sides. */
export const PARTS_MAX = 10_000

type Begins = Extract<AnswerEvent, { type: 'partBegins' }>
/** A part without its number. */
export type NewPart = { readonly kind: 'text' | 'refusal' | 'reasoning' } | Pick<ToolCallBegins, 'kind' | 'id' | 'name'>
type ToolCallBegins = Extract<Begins, { kind: 'toolCall' }>

/** Numbers the parts of one stream, and collects the events of one step. */
export class OpenParts {
  #begun = 0
  readonly #open = new Set<number>()
  #events: AnswerEvent[] = []

  begin(part: NewPart): number {
    if (this.#begun === PARTS_MAX) throw brokenAnswer(`the answer has more than ${PARTS_MAX} parts`)
    const number = this.#begun++
    this.#open.add(number)
    this.#events.push({ type: 'partBegins', part: number, ...part })
    return number
  }

  /** An empty text is no event. */
  grow(part: number, text: string): void {
    if (!this.#open.has(part)) throw brokenAnswer('a part goes on after its end')
    if (text !== '') this.#events.push({ type: 'partGrows', part, text })
  }

  end(part: number, state: ReasoningState | null = null): void {
    if (this.#open.delete(part)) this.#events.push({ type: 'partEnds', part, state })
  }

  isOpen(part: number): boolean {
    return this.#open.has(part)
  }

  get open(): readonly number[] {
    return [...this.#open]
  }

  get begun(): number {
    return this.#begun
  }

  push(event: AnswerEvent): void {
    this.#events.push(event)
  }

  /** The events since the last call. */
  take(): AnswerEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }
}
