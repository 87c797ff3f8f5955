import type { BreakerState } from '../../platform/circuitBreaker/circuitBreaker.ts'
import type { Database } from '../../projections/runner/ports.ts'
import type { Strategy } from './providerOrder.ts'
import type { ProviderFigures } from './providerWatch.ts'
import type { WireName } from './wires.ts'

export const REPORT_EVERY_MS = 5_000
/** A gateway that missed two reports is considered gone. */
const REPORT_VALID_MS = 3 * REPORT_EVERY_MS
/** Reports of gateways that were killed are removed after this time. */
const REPORT_KEPT_MS = 3_600_000

export type ReportedRoute = {
  readonly alias: string
  readonly strategy: Strategy
  readonly contextLength: number | null
  readonly maxOutputTokens: number
  readonly wires: readonly WireName[]
  readonly providers: readonly ReportedRouteProvider[]
}

export type ReportedRouteProvider = {
  readonly name: string
  readonly weight: number
  /** Missing in reports of earlier versions. */
  readonly wires?: readonly WireName[]
}

export type ReportedProvider = ProviderFigures & { readonly breaker: BreakerState }

/** What one gateway serves, and how its providers have answered in the last minute. */
export type GatewayReport = {
  readonly routes: readonly ReportedRoute[]
  readonly providers: readonly ReportedProvider[]
}

type Sql = Pick<Database, 'query'>

/** Times are those of the database, because gateways may run on several machines. */
export async function publishReport(sql: Sql, gatewayId: string, report: GatewayReport): Promise<void> {
  await sql.query(
    `with removed as (
       delete from platform.gateway_reports
       where gateway_id <> $1 and reported_at < clock_timestamp() - $3 * interval '1 ms'
     )
     insert into platform.gateway_reports (gateway_id, report, reported_at) values ($1, $2, clock_timestamp())
     on conflict (gateway_id) do update set report = excluded.report, reported_at = excluded.reported_at`,
    [gatewayId, JSON.stringify(report), REPORT_KEPT_MS],
  )
}

export async function withdrawReport(sql: Sql, gatewayId: string): Promise<void> {
  await sql.query('delete from platform.gateway_reports where gateway_id = $1', [gatewayId])
}

/** The reports of the running gateways, newest first. */
export async function freshReports(sql: Sql): Promise<GatewayReport[]> {
  const rows = await sql.query<{ report: GatewayReport }>(
    `select report from platform.gateway_reports where reported_at > clock_timestamp() - $1 * interval '1 ms'
     order by reported_at desc`,
    [REPORT_VALID_MS],
  )
  return rows.map(({ report }) => report)
}
