/** What must happen now and then: a run in which none of it happens proves little. */
export class Counters {
  readonly counts = new Map<string, number>()

  hit(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times)
  }
}

/** Over 500 seeds of world B, each of these happens. */
export const REQUIRED_B: readonly string[] = [
  'the answer to a stored append is lost',
  'a repeated append is found',
  'a lease is taken over',
  'a sealer is replaced',
  'a sealer fails and goes on',
  'a checkpoint is signed after a takeover',
  'a scrub is finished',
  'a read model fails and goes on',
  'a payment event is processed at a later try',
  'a payment event is acknowledged again',
  'a refund takes credits back',
  'a failed refund is given back',
  'a second subscription is ended',
  'a purchase is completed',
  'a purchase expires',
  'a renewal is paid',
  'the provider is asked about an invoice',
  'the provider is asked about a subscription',
  'a charge is reversed',
  'a key expires',
  'a month is closed',
  'a month is invoiced',
  'an invoice is settled',
  'credits expire',
  'expired credits are given back to a call',
  'unused credits roll over',
  'a call is charged after its lot has expired',
  'a call is charged after the expiry of its lot was recorded',
  'a common price book is anchored',
  'a price book of a company is anchored',
  'disputed credits are withdrawn',
  'disputed credits are given back',
  'a dispute is found by asking',
  'a dispute is closed again',
  'an inquiry is closed',
  'a top-up is paid',
  'a top-up is declined',
  'a top-up needs confirmation',
  'a top-up is paid after its confirmation',
  'a top-up is paid long after its start',
]

/** Over 500 seeds of world C, each of these happens as well as what callers meet. */
export const REQUIRED_C: readonly string[] = [
  'a call of unknown outcome is settled',
  'unsettled calls are found at a start',
  'a circuit breaker opens',
  'a view of a gateway subscribes again',
  'a charge is reversed',
  'a failed call is recorded',
  'a task fails and is tried again',
  'a task is completed',
  'a lease is taken over',
  'a scrub is finished',
  'a key is revoked',
  'a company is suspended',
  'an invitation is accepted',
  'a mail arrives again',
  'a message to a webhook arrives again',
  'a receipt is answered 200',
  'a statement is answered 200',
  'a meeting is summarised',
  'matches are scored',
]
