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

/** Auditors see neither candidates nor events about them. */
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
        // One extra row shows whether there is a next page.
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

function cursorAt({ recordedAt, revision, stream }: TrailRow): string {
  return cursorOf(`${Date.parse(recordedAt)} ${revision} ${stream}`)
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
  const idsOf = (kind: TrailRow['actorKind']) => [
    ...new Set(rows.filter(({ actorKind }) => actorKind === kind).map(({ actorId }) => actorId)),
  ]
  const users = await usersNamed(database, idsOf('user'))
  const visible = users.flatMap(({ userId, email, ...user }) =>
    email !== null && (companyId === null || user.companyId === companyId) ? [{ userId, email }] : [],
  )
  const addresses = await personal.revealAll(visible.map(({ email }) => email))
  const emailOf = new Map(visible.map(({ userId }, n) => [userId, addresses[n] as string]))
  const userOf = new Map(users.map((user) => [user.userId, user]))
  const hintOf = new Map((await keyHints(database, idsOf('apiKey'))).map(({ keyId, hint }) => [keyId, hint]))
  return rows.map(({ actorKind, actorId }) => {
    if (actorKind === 'system') return { kind: 'SYSTEM', id: null, name: actorId, email: null }
    if (actorKind === 'apiKey') {
      return { kind: 'API_KEY', id: actorId, name: hintOf.get(actorId) ?? 'unknown key', email: null }
    }
    const email = emailOf.get(actorId) ?? null
    return { kind: 'USER', id: actorId, name: email ?? nameOf(userOf.get(actorId)), email }
  })
}

function nameOf(user: { isSuperAdmin: boolean; erasedAt: string | null } | undefined): string {
  if (!user) return 'unknown user'
  if (user.erasedAt !== null) return 'erased user'
  return user.isSuperAdmin ? 'operator' : 'former user'
}

function shownEntry(row: TrailRow, actor: TrailActor): TrailEntry {
  const { eventId: id, recordedAt: at, type, companyId, userId, keyId, purchaseId, invoiceId } = row
  return {
    ...{ id, at, type, companyId, userId, keyId, purchaseId, invoiceId },
    title: titleOf(type),
    summary: summaryOf(type, row.facts),
    facts: Object.entries(row.facts).map(([name, value]) => ({ name, value: textOf(value) })),
    actor,
    correlationId: row.correlationId,
    causationId: row.causationId,
  }
}

function textOf(value: Fact): string | null {
  if (value === null) return null
  return typeof value === 'object' ? value.join(' ') : String(value)
}
