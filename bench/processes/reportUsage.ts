/**
 * Loaded into a process before its program, even a foreign one: reports the resource usage of the process on request,
 * and ends it with the benchmark.
 */
export type ProcessUsage = { readonly cpuMicros: number; readonly rssBytes: number; readonly heapBytes: number }

/** After a garbage collection, the heap contains only reachable objects. */
export type UsageQuestion = 'usage' | 'usage after a collection'

process.on('message', (question: UsageQuestion | string) => {
  if (question !== 'usage' && question !== 'usage after a collection') return
  if (question === 'usage after a collection') {
    // The second collection frees what the finalizers of the first one released.
    globalThis.gc?.()
    globalThis.gc?.()
  }
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ cpuMicros: user + system, rssBytes: rss, heapBytes: heapUsed } satisfies ProcessUsage)
})
process.once('disconnect', () => process.exit())
