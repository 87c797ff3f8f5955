import { EVENTS_BY_CATEGORY } from '../../../../../contracts/events/eventsByCategory.ts'
import { requireTextOrNull } from '../../../../../domain/text.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { keyHints } from '../../../../../projections/apiKeys/queries.ts'
import type { TrailRow } from '../../../../../projections/trail/projection.ts'
import { type TrailPlace, trailPage } from '../../../../../projections/trail/queries.ts'
import { type Fact, TRAIL_TYPES } from '../../../../../projections/trail/trailRecords.ts'
import { usersNamed } from '../../../../../projections/users/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { apiError } from '../../apiError.ts'
import type { GraphqlContext } from '../../context.ts'
import type { Resolvers, TrailActor, TrailEntry, TrailFilter } from '../../generated.ts'
import { requireId } from '../../ids.ts'
import { cursorOf, pageOf, readCursor, requireFirst } from '../../paging.ts'
import { summaryOf, titleOf } from '../../trailWords.ts'

const PLACE = /^\d{1,14} \d{1,18} [A-Za-z]+-[^\0]{1,1000}$/
const ID_CHARS_MAX = 500

/** Auditors see no candidates, and nothing of what is done with them. */
const HIRING = (['job', 'talent', 'document', 'meeting'] as const).flatMap((category) =>
  Object.keys(EVENTS_BY_CATEGORY[category]),
)

export const trail: Resolvers = {
  Query: {
    trail: async (_source, { filter, first, after }, context) => {
      const { isSuperAdmin, role } = requireUser(context)
      const companyId = isSuperAdmin ? null : requireCompany(context)
      const limit = requireFirst(first)
      const rows = await trailPage(context.runtime.engines.database, {
        companyId,
        ...conditionsOf(filter ?? {}),
        hidden: role === 'AUDITOR' && !isSuperAdmin ? HIRING : [],
        before: placeOf(readCursor(after, PLACE)),
        // One row more than the page shows whether there is a next page.
        limit: limit + 1,
      })
      const { nodes, pageInfo } = pageOf(rows, limit, cursorAt)
      const actors = await actorsOf(context, companyId, nodes)
      return { nodes: nodes.map((row, n) => shownEntry(row, actors[n] as TrailActor)), pageInfo }
    },
  },
}

function conditionsOf(filter: TrailFilter) {
  const { userId, keyId, purchaseId, invoiceId, correlationId, type = null, from = null, to = null } = filter
  if (type !== null && !TRAIL_TYPES.includes(type)) {
    throw apiError(
      'BAD_USER_INPUT',
      `type must be the type of an event of the trail, and ${JSON.stringify(type)} is none`,
    )
  }
  return {
    userId: userId == null ? null : requireId(userId, 'user'),
    keyId: keyId == null ? null : requireId(keyId, 'key'),
    purchaseId: purchaseId == null ? null : requireId(purchaseId, 'purchase'),
    invoiceId: requireTextOrNull(invoiceId ?? null, 'invoiceId', ID_CHARS_MAX),
    correlationId: requireTextOrNull(correlationId ?? null, 'correlationId', ID_CHARS_MAX),
    type,
    from,
    to,
  }
}

function cursorAt({ recorded_at, revision, stream }: TrailRow): string {
  return cursorOf(`${Date.parse(recorded_at)} ${revision} ${stream}`)
}

function placeOf(place: string | null): TrailPlace | null {
  if (place === null) return null
  const [ms = '', revision = ''] = place.split(' ', 2)
  return { recordedAt: isoTime(Number(ms)), revision, stream: place.slice(ms.length + revision.length + 2) }
}

/** A company sees the addresses of its own users only; others who acted for it are the operator's. */
async function actorsOf(
  { runtime }: GraphqlContext,
  companyId: string | null,
  rows: readonly TrailRow[],
): Promise<TrailActor[]> {
  const { database, personal } = runtime.engines
  const idsOf = (kind: TrailRow['actor_kind']) => [
    ...new Set(rows.filter(({ actor_kind }) => actor_kind === kind).map(({ actor_id }) => actor_id)),
  ]
  const users = await usersNamed(database, idsOf('user'))
  const visible = users.flatMap(({ user_id, company_id, email }) =>
    email !== null && (companyId === null || company_id === companyId) ? [{ user_id, email }] : [],
  )
  const addresses = await personal.revealAll(visible.map(({ email }) => email))
  const emailOf = new Map(visible.map(({ user_id }, n) => [user_id, addresses[n] as string]))
  const userOf = new Map(users.map((user) => [user.user_id, user]))
  const hintOf = new Map((await keyHints(database, idsOf('apiKey'))).map(({ key_id, hint }) => [key_id, hint]))
  return rows.map(({ actor_kind, actor_id }) => {
    if (actor_kind === 'system') return { kind: 'SYSTEM', id: null, name: actor_id, email: null }
    if (actor_kind === 'apiKey') {
      return { kind: 'API_KEY', id: actor_id, name: hintOf.get(actor_id) ?? 'unknown key', email: null }
    }
    const email = emailOf.get(actor_id) ?? null
    return { kind: 'USER', id: actor_id, name: email ?? nameOf(userOf.get(actor_id)), email }
  })
}

function nameOf(user: { is_super_admin: boolean; erased_at: string | null } | undefined): string {
  if (!user) return 'unknown user'
  if (user.erased_at !== null) return 'erased user'
  return user.is_super_admin ? 'operator' : 'former user'
}

function shownEntry(row: TrailRow, actor: TrailActor): TrailEntry {
  return {
    id: row.event_id,
    at: row.recorded_at,
    type: row.type,
    title: titleOf(row.type),
    summary: summaryOf(row.type, row.facts),
    facts: Object.entries(row.facts).map(([name, value]) => ({ name, value: textOf(value) })),
    actor,
    companyId: row.company_id,
    userId: row.user_id,
    keyId: row.key_id,
    purchaseId: row.purchase_id,
    invoiceId: row.invoice_id,
    correlationId: row.correlation_id,
    causationId: row.causation_id,
  }
}

function textOf(value: Fact): string | null {
  if (value === null) return null
  return typeof value === 'object' ? value.join(' ') : String(value)
}
