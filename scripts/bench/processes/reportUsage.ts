/**
 * Loaded into a process before its program: tells what the process has used whenever it is asked, also of a program that
 * is not ours, and ends it with the benchmark.
 */
export type ProcessUsage = { readonly cpuMicros: number; readonly rssBytes: number; readonly heapBytes: number }

/** With a collection first, a heap is what is really kept. */
export type UsageQuestion = 'usage' | 'usage after a collection'

process.on('message', (question: UsageQuestion) => {
  if (question === 'usage after a collection') {
    // The second takes what the first one's finalisers let go.
    globalThis.gc?.()
    globalThis.gc?.()
  }
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpuMicros: user + system, rssBytes: rss, heapBytes: heapUsed } satisfies ProcessUsage)
})
process.once('disconnect', () => process.exit())
