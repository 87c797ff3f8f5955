import type { TestContext } from 'vitest'

/** An engine that the whole run shares, or why this machine does not have it. */
export type EngineOffer = { readonly address: string } | { readonly missing: string }

/** With it set, as in `.ci/run`, a suite whose engine is missing fails instead of being skipped. */
const isRequired = () => process.env.CI_ENGINES === 'required'

/** The engine's address; without the engine the test is skipped, and says why. For the test's or beforeEach's context. */
export function takeEngine(context: TestContext, offer: EngineOffer): string {
  if ('address' in offer) return offer.address
  return withoutEngine(context, offer.missing)
}

export function withoutEngine(context: TestContext, reason: string): never {
  if (isRequired()) throw new Error(`${reason} (CI_ENGINES=required: this engine must be there)`)
  return context.skip(reason)
}
