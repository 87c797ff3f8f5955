import { isMainThread } from 'node:worker_threads'

// Loaded by every Node process below the one that is started; only the server's main thread is measured.
const isServer = isMainThread && process.argv[1]?.endsWith('/scripts/start.ts')
if (isServer && process.env.ATTACK_PROBE) {
  const { serveProbe } = await import('./probe.ts')
  serveProbe(process.env.ATTACK_PROBE)
}
