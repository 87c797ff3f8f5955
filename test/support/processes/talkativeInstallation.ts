import { runInstallation } from '../../../scripts/start/runInstallation.ts'

/** An installation that prints reports until one fails, and then notifies its parent process. */
function report(): void {
  process.stderr.write('tollgate: something has happened\n', (error) => {
    // Later than the stream reports the same error itself.
    setTimeout(() => {
      if (error) process.send?.((error as NodeJS.ErrnoException).code ?? error.message)
      else report()
    }, 10)
  })
}

await runInstallation(async () => {
  const running = setInterval(() => {}, 1_000)
  return {
    banner: 'ready\n',
    stopMsMax: 10_000,
    afterReady: report,
    stop: async () => clearInterval(running),
  }
})
process.exit()
