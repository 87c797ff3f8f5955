import { latestCheckpoint, type SignedCheckpoint } from '../../../platform/transparency/logReader.ts'
import { requireSuperAdmin } from '../access.ts'
import type { LogCheckpoint, Resolvers } from '../generated.ts'

export const ledgerLog: Resolvers = {
  Query: {
    ledgerLog: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const { database } = context.runtime.engines
      // Before the progress, which is then not smaller than the checkpoint.
      const checkpoint = await latestCheckpoint(database)
      const [progress] = await database.query<{ size: string; fault: string | null; fault_event: string | null }>(
        'select size, fault, fault_event from ledger_log.progress',
      )
      return {
        entries: Number(progress?.size ?? 0),
        checkpoint: checkpoint && shownCheckpoint(checkpoint),
        fault: progress?.fault ?? null,
        faultEvent: progress?.fault_event ?? null,
      }
    },
  },
}

function shownCheckpoint({ origin, size, root, signedAt, note }: SignedCheckpoint): LogCheckpoint {
  return { origin, size, root: Buffer.from(root).toString('base64'), signedAt, note }
}
