import { describe, inject, test } from 'vitest'
import { withoutEngine } from '../engines/engineOffer.ts'

/**
 * A suite on the EventStoreDB server that the whole run shares, at this address. Without a server it is one test that
 * says so. Suites that must not see events of others take a prefix of their own.
 */
export function describeWithEventStore(name: string, suite: (url: string) => void): void {
  const offer = inject('eventStore')
  if ('address' in offer) return void describe(name, () => suite(offer.address))
  test(name, (context) => withoutEngine(context, offer))
}
