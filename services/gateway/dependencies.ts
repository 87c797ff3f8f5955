import type { DocumentReader } from '../../capabilities/documents/documentReader.ts'
import type { LedgerWriter } from '../../capabilities/ledger/ledgerWriter.ts'
import type { ProviderClient } from '../../capabilities/providers/providerClient.ts'
import type { ProviderTable } from '../../capabilities/providers/providersFile.ts'
import type { ProviderWatch } from '../../capabilities/providers/providerWatch.ts'
import type { Redaction } from '../../capabilities/redaction/redaction.ts'
import type { ReceiptReader } from '../../capabilities/transparency/receiptReader.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FairShare } from '../../platform/http/limits/fairShare.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import type { Log } from '../../platform/logger/logger.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Tracing } from '../../platform/tracing/port.ts'
import type { CallRow } from '../../projections/calls/projection.ts'
import type { JobRow } from '../../projections/jobs/projection.ts'
import type { JobPlace } from '../../projections/jobs/queries.ts'
import type { GroupedUsage, UsageQuery } from '../../projections/usage/queries.ts'
import type { BackgroundWork } from './backgroundWork.ts'
import type { AbandonedStreams } from './call/abandonedStreams.ts'
import type { CallsInFlight } from './call/callsInFlight.ts'
import type { LateReads } from './call/lateReads.ts'
import type { GatewayMetrics } from './gatewayMetrics.ts'
import type { CallHolds } from './holds/callHolds.ts'
import type { Claims } from './idempotency/claims.ts'
import type { CallCharge } from './idempotency/keptAnswer.ts'
import type { LargeJson } from './largeJson/largeJson.ts'
import type { RateLimiter } from './rateLimiter.ts'
import type { Settlement } from './settlement/settlement.ts'
import type { CompanyCatchUp } from './views/companyCatchUp.ts'
import type { GatewayViews } from './views/gatewayViews.ts'
import type { NewKeys } from './views/newKeys.ts'
import type { PriceCurrency } from './views/priceCurrency.ts'

/** What createGateway needs: every port, view and store that a request may use. */
export type GatewayDependencies = {
  readonly views: Omit<GatewayViews, 'reached' | 'stop'>
  readonly newKeys: Pick<NewKeys, 'isNew' | 'find'>
  readonly priceCurrency: Pick<PriceCurrency, 'require'>
  readonly companyCatchUp: Pick<CompanyCatchUp, 'hasCaughtUp'>
  readonly rateLimiter: RateLimiter
  readonly abandonedStreams: Pick<AbandonedStreams, 'admit'>
  readonly holds: Pick<CallHolds, 'place' | 'callEnded'>
  readonly callsInFlight: CallsInFlight
  readonly ledger: LedgerWriter
  readonly claims: Claims
  readonly settlement: Pick<Settlement, 'record' | 'settle'>
  /** Whether the charge of a call that another gateway made is on the ledger. */
  readonly isBooked: (charge: CallCharge) => Promise<boolean>
  readonly providers: ProviderClient
  readonly providerWatch: Pick<ProviderWatch, 'answered' | 'givenUp' | 'refused' | 'unreachable'>
  /** The table in force. A reload may replace it between two calls. */
  readonly providerTable: ProviderTable
  /** Redacts texts of providers. Replaced together with the table. */
  readonly redaction: Redaction
  /** Its processes and its queue are bounded for all calls together. */
  readonly documents: Pick<DocumentReader, 'read'>
  /** Its threads and its queue are bounded for all calls together. */
  readonly largeJson: Omit<LargeJson, 'close'>
  /** Bytes that answers may have beyond their ordinary limits. */
  readonly answerGrowth: FairShare
  /** Usage of a key by group, current to the last call that finished here. */
  readonly readUsage: (query: UsageQuery & { companyId: string }) => Promise<GroupedUsage[]>
  /** A finished call of a company, including one that has just ended here; null if unknown. */
  readonly readCall: (companyId: string, callId: string) => Promise<CallRow | null>
  /** The receipt of a call; null if this key has no such call or it is not sealed yet. */
  readonly readReceipt: ReceiptReader['read']
  /** A company's active jobs after this cursor, newest first. */
  readonly readJobs: (companyId: string, limit: number, after: JobPlace | null) => Promise<JobRow[]>
  /** Requests being served. */
  readonly requests: BackgroundWork
  readonly background: BackgroundWork
  /** Streams that are still read although their callers have left. */
  readonly lateReads: LateReads
  readonly metrics: GatewayMetrics
  /** The metrics of GET /metrics. */
  readonly registry: Metrics
  /** Null unless traces are exported. */
  readonly tracing: Tracing | null
  readonly internalToken: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly trustedProxies: number
}
