import type { Checker } from '../world.ts'
import type { CallFacts } from './callFacts.ts'
import { answersAgree, idempotentCalls, rightCharges } from './charges.ts'
import { creditsCount } from './credits.ts'
import { obedience } from './obedience.ts'
import { hardCaps, limitsAreObeyed } from './spending.ts'

/** What must hold for calls in every world that has gateways. */
export function callCheckers(facts: CallFacts): readonly Checker[] {
  return [
    rightCharges(facts),
    answersAgree(facts),
    idempotentCalls(facts),
    hardCaps(facts),
    limitsAreObeyed(facts),
    obedience(facts),
    creditsCount(facts),
  ]
}
