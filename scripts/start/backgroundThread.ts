import { useCompileCache } from './compileCache.ts'

/** The thread of projector, reactor and relay, so that their CPU use does not delay a call. */
useCompileCache()
await import('./runBackground.ts')
