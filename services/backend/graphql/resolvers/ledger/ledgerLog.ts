import { readFault } from '../../../../../capabilities/transparency/faults.ts'
import { latestCheckpoint, type SignedCheckpoint } from '../../../../../capabilities/transparency/reader.ts'
import { readProgress } from '../../../../../capabilities/transparency/sealing/tables.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import type { LogCheckpoint, Resolvers } from '../../generated.ts'

export const ledgerLog: Resolvers = {
  Query: {
    ledgerLog: async (_source, _args, context) => {
      requireSuperAdmin(context)
      const { database } = context.runtime.engines
      // Before the progress, which is then not smaller than the checkpoint.
      const checkpoint = await latestCheckpoint(database)
      const { size } = await readProgress(database)
      const known = await readFault(database)
      return {
        entries: size,
        checkpoint: checkpoint && shownCheckpoint(checkpoint),
        fault: known?.fault ?? null,
        faultEvent: known?.eventId ?? null,
      }
    },
  },
}

function shownCheckpoint({ origin, size, root, signedAt, note }: SignedCheckpoint): LogCheckpoint {
  return { origin, size, root: Buffer.from(root).toString('base64'), signedAt, note }
}
