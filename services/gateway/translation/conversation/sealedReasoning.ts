import { isJsonObject } from '../../../../platform/http/body/parseJson.ts'
import { checkedState, type ReasoningState, sealed, unsealed } from './reasoningState.ts'

/** Reasoning with its place among the other parts of a turn, of which chat keeps only the texts and the calls. */
export type PlacedReasoning = {
  readonly text: string
  readonly state: ReasoningState | null
  /** The calls before it; undefined if it stands before the text. */
  readonly afterCalls?: number
}

type AnyPart = { readonly type: string; readonly text?: string; readonly state?: ReasoningState | null }

/** All reasoning of a turn, for the opaque field of a chat message; undefined if there is none. */
export function sealedReasoning(parts: readonly AnyPart[]): string | undefined {
  const placed = placedReasoning(parts)
  return placed.length === 0 ? undefined : sealed(placed)
}

function placedReasoning(parts: readonly AnyPart[]): PlacedReasoning[] {
  const placed: PlacedReasoning[] = []
  let calls = 0
  let isBehindText = false
  for (const { type, text = '', state = null } of parts) {
    if (type === 'toolCall') calls++
    if (type === 'text' || type === 'refusal') isBehindText = true
    if (type === 'reasoning') {
      placed.push(calls > 0 || isBehindText ? { text, state, afterCalls: calls } : { text, state })
    }
  }
  return placed
}

/** Undefined if the text is not what `sealedReasoning` made. */
export function unsealedReasoning(text: string): PlacedReasoning[] | undefined {
  const list = unsealed(text)
  if (!Array.isArray(list)) return undefined
  const placed = list.map(placedIn)
  return placed.every((one) => one !== undefined) ? placed : undefined
}

function placedIn(value: unknown): PlacedReasoning | undefined {
  if (!isJsonObject(value) || typeof value.text !== 'string') return undefined
  const { text, state, afterCalls } = value
  const known = state === null ? null : checkedState(state)
  if (known === null && state !== null) return undefined
  if (afterCalls === undefined) return { text, state: known }
  return Number.isSafeInteger(afterCalls) ? { text, state: known, afterCalls: afterCalls as number } : undefined
}

/** The parts of a turn in the order in which the model gave them. */
export function inOrder<Part, Call>(
  reasoning: readonly { readonly part: Part; readonly afterCalls?: number | undefined }[],
  texts: readonly Part[],
  calls: readonly Call[],
): (Part | Call)[] {
  const first: Part[] = []
  const behind = new Map<number, Part[]>()
  for (const { part, afterCalls } of reasoning) {
    const at = afterCalls === undefined ? undefined : Math.min(Math.max(afterCalls, 0), calls.length)
    const place = at === undefined ? first : (behind.get(at) ?? [])
    place.push(part)
    if (at !== undefined) behind.set(at, place)
  }
  const following = calls.flatMap((call, position) => [call, ...(behind.get(position + 1) ?? [])])
  return [...first, ...texts, ...(behind.get(0) ?? []), ...following]
}
