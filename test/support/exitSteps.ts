const steps = new Set<() => void>()

function takeAll(): void {
  for (const step of steps) step()
}

process.on('exit', takeAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Sent again instead of process.exit, which vitest keeps tests from calling; this handler is gone by then.
  process.once(signal, () => {
    takeAll()
    process.kill(process.pid, signal)
  })
}

/**
 * What is to be done, without waiting for anything, should this process end before its tests have: Ctrl-C does not reach
 * processes in groups of their own. Answers with what calls it off.
 */
export function onAbruptExit(step: () => void): () => void {
  steps.add(step)
  return () => void steps.delete(step)
}
