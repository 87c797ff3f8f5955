import type { TestContext } from 'vitest'

/** Why this machine does not have an engine. Accepted: its tests are skipped even where engines are required. */
export type MissingEngine = { readonly missing: string; readonly isAccepted?: boolean }

/** An engine that the whole run shares. */
export type EngineOffer = { readonly address: string } | MissingEngine

/** With it set, as in `.ci/run`, a suite whose engine is missing fails instead of being skipped. */
const isRequired = () => process.env.CI_ENGINES === 'required'

/** The engine's address; without the engine the test is skipped, and says why. For the test's or beforeEach's context. */
export function takeEngine(context: TestContext, offer: EngineOffer): string {
  if ('address' in offer) return offer.address
  return withoutEngine(context, offer)
}

export function withoutEngine(context: TestContext, { missing, isAccepted = false }: MissingEngine): never {
  if (isRequired() && !isAccepted) throw new Error(`${missing} (CI_ENGINES=required: this engine must be there)`)
  return context.skip(missing)
}
