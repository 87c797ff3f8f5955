import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Condition } from '../world.ts'
import { caughtUp } from './caughtUp.ts'

/** Its ledger has the price books of all companies, and no lots. */
const COMMON_LEDGER = 'ledger-00000000-0000-4000-8000-000000000000'
/** About two hours, by docs/admins.md: in a round every few seconds, once the lots have followed the ledger. */
const EXPIRED_WITHIN = '2 hours 20 seconds'

/** What must come to rest in every world with a database, once nothing is asked of it and nothing fails. */
export function databaseLiveness(simulation: Simulation): Condition[] {
  return [
    caughtUp(simulation),
    // Holds of a gateway whose lease has ended count no longer; the next call of their company removes them.
    noRows(
      simulation,
      'no hold remains',
      `select hold_id, owner from platform.holds join platform.hold_owners using (owner)
       where expires_at > clock_timestamp()`,
    ),
    noRows(
      simulation,
      'no task waits',
      "select worker, subject, attempts from platform.tasks where status = 'waiting' and due_at <= clock_timestamp()",
    ),
    // One that was not settled because its statement was lost can be taken over when its lease has ended.
    noRows(
      simulation,
      'no claim waits',
      'select call_id, leased_to from answer_store.claims where not settled and leased_to > clock_timestamp()',
    ),
    noRows(
      simulation,
      'every payment event is processed',
      `select e.stream, e.type from event_store.events e join event_store.streams s using (stream_no)
       where s.stream like 'webhook-%' and e.revision = s.revision and e.type in ('WebhookReceived', 'WebhookReplayed')`,
    ),
    noRows(
      simulation,
      'lots of credits follow the ledger',
      `select stream, s.revision, c.revision from event_store.streams s
         left join credit_lots.companies c on 'ledger-' || c.company_id = s.stream
       where stream like 'ledger-%' and stream <> '${COMMON_LEDGER}' and s.revision > coalesce(c.revision, -1)`,
    ),
    noRows(
      simulation,
      'what has expired of lots is recorded, and what calls needed of it is given back',
      `select company_id, lot_id, left_micros, owed_micros from credit_lots.lots
       where owed_micros > 0 or left_micros > 0 and expires_at < clock_timestamp() - interval '${EXPIRED_WITHIN}'`,
    ),
    noRows(
      simulation,
      'every price book is anchored',
      `select data ->> 'bookId' from event_store.events where type = 'PriceBookPublished'
       except select data ->> 'bookId' from event_store.events where type = 'PriceBookAnchored'`,
    ),
    // Other leases are taken for a moment.
    noRows(
      simulation,
      'the log has a sealer',
      `select 'none' where not exists (select from platform.leases where name = 'sealer' and expires_at > clock_timestamp())`,
    ),
  ]
}

/** Holds if the query finds nothing. */
function noRows({ pglite, server }: Simulation, name: string, text: string): Condition {
  return {
    name,
    missing: () => {
      if (!server.isFree) return 'a transaction is open'
      const rows = rowsOf(pglite, text)
      return rows.length === 0 ? null : `${rows.length} found, such as ${rows[0]?.join(' ')}`
    },
  }
}
