import { beforeEach } from 'vitest'
import { withoutEngine } from './engineOffer.ts'
import { missingEngine } from './productionHarnessEngines.ts'

/** For files that run on production engines: if one is missing, each test says so. */
beforeEach((context) => {
  const missing = missingEngine()
  if (missing !== null) withoutEngine(context, missing)
})
