/** Scores in this range are uncertain by rule, so a model is asked for a judgement. */
export const JUDGED = { from: 40, to: 80 } as const
/** The most by which a judgement changes a score, so that the rules remain decisive. */
export const ADJUSTMENT_MAX = 10
const REASON_CHARS_MAX = 160

export type Judgement = { readonly adjustment: number; readonly reason: string | null }

export function needsJudgement(score: number): boolean {
  return score >= JUDGED.from && score <= JUDGED.to
}

/** A model's judgement, made storable: a whole number within bounds, and one line of text. */
export function boundedJudgement(adjustment: number | null, reason: string | null): Judgement {
  const steps = Math.round(adjustment ?? 0) || 0
  const line = (reason ?? '')
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return {
    adjustment: Math.max(-ADJUSTMENT_MAX, Math.min(ADJUSTMENT_MAX, steps)),
    reason: line === '' ? null : shortened(line),
  }
}

export function adjusted(score: number, { adjustment }: Judgement): number {
  return Math.max(0, Math.min(100, score + adjustment))
}

function shortened(line: string): string {
  const characters = [...line]
  return characters.length > REASON_CHARS_MAX ? `${characters.slice(0, REASON_CHARS_MAX - 1).join('')}…` : line
}
