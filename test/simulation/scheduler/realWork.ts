/** Notices work of the real event loop that the scheduler has not asked for, such as a thread, a socket or a timer. */
export class RealWork {
  readonly #known = countsOf(process.getActiveResourcesInfo())

  /** What goes on beside the run; null if nothing does. */
  unknown(): string | null {
    const counts = countsOf(process.getActiveResourcesInfo())
    const more = [...counts].filter(([kind, count]) => count > (this.#known.get(kind) ?? 0))
    return more.length === 0 ? null : more.map(([kind, count]) => `${count} ${kind}`).join(', ')
  }
}

function countsOf(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
