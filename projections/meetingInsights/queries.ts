import type { Sql } from '../runner/ports.ts'
import type { MeetingInsightRow } from './projection.ts'

/** A row with its insight. */
export type InsightRow = MeetingInsightRow & {
  readonly insightId: string
  readonly durationSeconds: number
  readonly summary: string
  readonly generatedAt: string
}

/** The position of an insight in the list. */
export type InsightPlace = { readonly endedAt: string; readonly insightId: string }

export type InsightFilter = {
  /** null for super admins, who see all insights, including those without a company. */
  readonly companyId: string | null
  readonly room: string | null
  readonly after: InsightPlace | null
  readonly limit: number
}

/** Newest first. A page continues after the last row of the previous page, whatever arrived meanwhile. */
export function insights(sql: Sql, { companyId, room, after, limit }: InsightFilter): Promise<InsightRow[]> {
  return sql.query<InsightRow>(
    `select * from read_models.meeting_insights
     where insight_id is not null and not withdrawn
       and ($1::uuid is null or company_id = $1) and ($2::text is null or room = $2)
       and ($3::timestamptz is null or (ended_at, insight_id) < ($3, $4::uuid))
     order by ended_at desc, insight_id desc limit $5`,
    [companyId, room, after?.endedAt ?? null, after?.insightId ?? null, limit],
  )
}
