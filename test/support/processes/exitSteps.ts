const steps = new Set<() => void>()

function runSteps(): void {
  for (const step of steps) step()
}

process.on('exit', runSteps)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The signal is sent again instead of calling process.exit, which vitest forbids; this handler is removed by then.
  process.once(signal, () => {
    runSteps()
    process.kill(process.pid, signal)
  })
}

/**
 * Registers a synchronous step for the case that this process ends before its tests have cleaned up: Ctrl-C does not
 * reach processes in other groups. Returns a function that cancels the step.
 */
export function onAbruptExit(step: () => void): () => void {
  steps.add(step)
  return () => void steps.delete(step)
}
