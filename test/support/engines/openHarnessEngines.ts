import { inject } from 'vitest'
import { openEmbeddedEngines } from './embeddedHarnessEngines.ts'
import type { EnginesChoice, HarnessEngines } from './harnessEngines.ts'
import { missingEngine, openProductionEngines } from './productionHarnessEngines.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set by the configuration of a run on production engines. */
    harnessEngines?: 'production'
  }
}

/** If an engine is missing, tests are skipped or fail (runOnProduction.ts), so it does not matter what they open. */
export function openHarnessEngines(choice: EnginesChoice): Promise<HarnessEngines> {
  return isOnProduction() ? openProductionEngines(choice) : openEmbeddedEngines(choice.through)
}

export function isOnProduction(): boolean {
  return inject('harnessEngines') === 'production' && missingEngine() === null
}
