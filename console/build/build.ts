import { setPriority } from 'node:os'

/** The services share the machine with this process, and their callers come first. Threads inherit it from here. */
const LOWEST_PRIORITY = 19

setPriority(LOWEST_PRIORITY)
// The input ends with the backend that started this process, even if that was killed.
process.stdin.on('end', () => process.exit(1)).resume()
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('the folder to build into is required')
const { build } = await import('vite')
const { compressFolder } = await import('./compressFolder.ts')
await build({
  configFile: new URL('../vite.config.ts', import.meta.url).pathname,
  // Node strips the types of the configuration, so it needs no bundle.
  configLoader: 'native',
  logLevel: 'error',
  build: { outDir: folder },
})
await compressFolder(folder)
process.exit(0)
