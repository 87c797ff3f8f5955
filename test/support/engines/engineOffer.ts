import type { TestContext } from 'vitest'

/** Why an engine is missing. `isAccepted`: its tests are skipped even if engines are required. */
export type MissingEngine = { readonly missing: string; readonly isAccepted?: boolean }

/** An engine that the whole run shares. */
export type EngineOffer = { readonly address: string } | MissingEngine

/** If set, as in `.ci/run`, a suite fails instead of being skipped if its engine is missing. */
const isRequired = () => process.env.CI_ENGINES === 'required'

/** The engine's address. Without the engine, skips the test with the reason. Takes the context of a test or beforeEach. */
export function takeEngine(context: TestContext, offer: EngineOffer): string {
  if ('address' in offer) return offer.address
  return withoutEngine(context, offer)
}

export function withoutEngine(context: TestContext, { missing, isAccepted = false }: MissingEngine): never {
  if (isRequired() && !isAccepted) throw new Error(`${missing} (CI_ENGINES=required: this engine must be there)`)
  return context.skip(missing)
}
