import { installGlobals } from './scheduler/globals.ts'

// Before anything else is imported: the database and the product find the simulated time and randomness.
installGlobals()
const { serveSeeds } = await import('./serveSeeds.ts')
await serveSeeds()
