import { readUnsettledCalls } from '../../capabilities/unsettledCalls/unsettledCalls.ts'
import { readConfig } from '../../platform/config/config.ts'

/** Calls that were answered with 503 and have not ended on the ledger yet, or whose charge is still to be reversed. */
export type UnsettledAudit = {
  readonly calls: readonly {
    readonly callId: string
    readonly keyId: string
    readonly alias: string
    readonly recordedAt: string
  }[]
  /** Unreadable files, of any company. */
  readonly damaged: readonly string[]
}

/** Reads what the gateways with this DATA_DIR have recorded. */
export async function unsettledOf(companyId: string): Promise<UnsettledAudit> {
  const { calls, damaged } = await readUnsettledCalls(readConfig(process.env).DATA_DIR)
  return {
    calls: calls
      .filter(({ call }) => call.companyId === companyId)
      .map(({ call: { callId, keyId, alias }, recordedAt }) => ({ callId, keyId, alias, recordedAt })),
    damaged,
  }
}
