/** From one simulated moment to another. */
export type Span = { readonly fromMs: number; readonly toMs: number }

export function overlaps(spans: readonly Span[], fromMs: number, toMs: number): boolean {
  return spans.some((span) => span.fromMs <= toMs && span.toMs >= fromMs)
}

/** Whether for so long, between the two moments, none of the spans lasted. */
export function hasGap(spans: readonly Span[], fromMs: number, toMs: number, gapMs: number): boolean {
  let freeMs = fromMs
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (span.toMs < freeMs) continue
    if (Math.min(span.fromMs, toMs) - freeMs >= gapMs) return true
    freeMs = span.toMs
  }
  return toMs - freeMs >= gapMs
}
