import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Condition } from '../world.ts'

/** The reactor's place among payments, which it keeps beside those of the read models. It moves only with what concerns it. */
const PAYMENTS = 'reactor-webhooks'

/** Read models have every event, and the transparency log has sealed and signed those of the ledger. */
export function caughtUp({ pglite, server }: Simulation): Condition {
  return {
    name: 'everything has caught up',
    missing: () => {
      if (!server.isFree) return `a transaction is open: ${server.describe()}`
      // The places of the reactor and of workers are not stored for events of categories that they do not read. That payment
      // events are processed is a condition of its own.
      const behind = rowsOf(
        pglite,
        `select projection, position from read_models.checkpoints
         where position::bigint < (select max(position) from event_store.events
           where case
             when projection = '${PAYMENTS}' then split_part(stream, '-', 1) in ('webhook', 'purchase', 'invoice')
             when projection = 'email_worker'
               then split_part(stream, '-', 1) in ('ledger', 'invoice', 'subscription', 'company', 'user', 'task')
             when projection like '%\\_worker' then split_part(stream, '-', 1) = 'task'
             else true end)`,
      )
      if (behind.length > 0) return `${behind.length} read models are behind, such as ${behind[0]?.join(' at ')}`
      const [counts] = rowsOf(
        pglite,
        `select (select count(*) from event_store.events where stream like 'ledger-%'),
           (select count(*) from ledger_log.entries), (select coalesce(max(size), 0) from ledger_log.checkpoints)`,
      )
      const [stored, sealed, signed] = counts ?? []
      return stored === sealed && stored === signed ? null : `${stored} stored, ${sealed} sealed, ${signed} signed`
    },
  }
}
