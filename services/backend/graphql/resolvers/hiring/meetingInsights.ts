import { UUID_SOURCE } from '../../../../../contracts/uuid.ts'
import { type InsightPlace, type InsightRow, insights } from '../../../../../projections/meetingInsights/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import type { GraphqlContext } from '../../context.ts'
import type { MeetingInsight, Resolvers } from '../../generated.ts'
import { cursorOf, pageOf, readCursor, requireFirst } from '../../paging.ts'

const PLACE = new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z ${UUID_SOURCE}$`)

export const meetingInsights: Resolvers = {
  Query: {
    meetingInsights: async (_source, { room, first, after }, context) => {
      // A room without a link to a job or a talent belongs to no company: only super admins see its meetings.
      const companyId = requireUser(context).isSuperAdmin ? null : requireCompany(context)
      const limit = requireFirst(first)
      const rows = await insights(context.runtime.engines.database, {
        companyId,
        room: room ?? null,
        after: placeOf(readCursor(after, PLACE)),
        // One extra row shows whether there is a next page.
        limit: limit + 1,
      })
      const { nodes, pageInfo } = pageOf(rows, limit, (row) => cursorOf(`${row.endedAt} ${row.insightId}`))
      return { nodes: await shownInsights(context, nodes), pageInfo }
    },
  },
}

function placeOf(place: string | null): InsightPlace | null {
  if (place === null) return null
  const [endedAt = '', insightId = ''] = place.split(' ')
  return { endedAt, insightId }
}

async function shownInsights({ runtime }: GraphqlContext, rows: readonly InsightRow[]): Promise<MeetingInsight[]> {
  const revealed = await runtime.engines.personal.revealRows(rows, 'summary')
  return revealed.map(({ insightId, room, startedAt, endedAt, durationSeconds, jobId, talentId, ...row }) => ({
    ...{ id: insightId, room, startedAt, endedAt, durationSeconds },
    ...{ jobId, talentId, summary: row.summary, createdAt: row.generatedAt },
  }))
}
