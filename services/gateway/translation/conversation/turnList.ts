import type { Part, Role, Turn } from './conversation.ts'

/** Collects the parts of a conversation in turns, each of which has another role than the one before. */
export class TurnList {
  readonly #turns: { role: Role; parts: Part[]; at: string }[] = []

  add(role: Role, parts: readonly Part[], at: string): void {
    const last = this.#turns.at(-1)
    if (last?.role !== role) {
      this.#turns.push({ role, parts: [...parts], at })
      return
    }
    for (const part of parts) last.parts.push(part)
  }

  get turns(): readonly Turn[] {
    return this.#turns
  }
}
