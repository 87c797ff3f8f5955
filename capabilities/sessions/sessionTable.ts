import { createHmac, randomBytes } from 'node:crypto'
import { isoTime } from '../../platform/clock/clock.ts'
import type { Database, Sql } from '../../projections/runner/ports.ts'
import { isOver, isRenewalDue, type SessionTimes, sessionTimes } from './sessionTimes.ts'

/** A new session ends the user's least recently used ones beyond this number. */
export const SESSIONS_PER_USER_MAX = 20
/** How many expired sessions, of all users, are removed with each sign-in. */
const REMOVED_AT_ONCE_MAX = 100

export type SessionRow = {
  readonly sessionId: string
  readonly userId: string
  readonly tokenVersion: number
  readonly device: string
  readonly network: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly expiresAt: string
  readonly endsAt: string
}
const COLUMNS = 'session_id, user_id, token_version, device, network, created_at, last_used_at, expires_at, ends_at'

/** The prefix by which logs recognise it as a secret. */
const TOKEN = /^tg_session_[\w-]{43}$/

function newSessionToken(): string {
  return `tg_session_${randomBytes(32).toString('base64url')}`
}

/** Keyed with the secret that signs access tokens, so that replacing it ends all sessions too. */
function hashOf(secret: string, token: string): Buffer {
  return createHmac('sha256', secret).update(`session:${token}`).digest()
}

export type NewSession = {
  readonly sessionId: string
  readonly userId: string
  readonly tokenVersion: number
  readonly device: string
  readonly network: string
  readonly nowMs: number
  /** The latest time at which the session ends. */
  readonly endsAtMs: number
}

export type OpenedSession = { readonly token: string; readonly row: SessionRow }

/** Opens a session under a new token, which only the answer contains. Removes sessions that have expired or are too many. */
export function openSession(database: Database, secret: string, session: NewSession): Promise<OpenedSession> {
  const { sessionId, userId, tokenVersion, device, network, nowMs } = session
  const token = newSessionToken()
  const { expiresAtMs, endsAtMs } = sessionTimes(nowMs, session.endsAtMs)
  const now = isoTime(nowMs)
  return database.transaction(async (sql) => {
    await sql.query(
      `delete from platform.sessions where session_id in (
         select session_id from platform.sessions where expires_at <= $1 limit $2 for update skip locked)`,
      [now, REMOVED_AT_ONCE_MAX],
    )
    await sql.query(
      `delete from platform.sessions where session_id in (
         select session_id from platform.sessions where user_id = $1 order by last_used_at desc, session_id offset $2)`,
      [userId, SESSIONS_PER_USER_MAX - 1],
    )
    const [row] = await sql.query<SessionRow>(
      `insert into platform.sessions
         (session_id, token_hash, user_id, token_version, device, network, created_at, last_used_at, expires_at, ends_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9) returning ${COLUMNS}`,
      [
        sessionId,
        hashOf(secret, token),
        userId,
        tokenVersion,
        device,
        network,
        now,
        isoTime(expiresAtMs),
        isoTime(endsAtMs),
      ],
    )
    if (!row) throw new Error(`session ${sessionId} was not stored`)
    return { token, row }
  })
}

/** The session of a token; null if there is none or it has expired. */
export async function sessionOf(sql: Sql, secret: string, token: string, nowMs: number): Promise<SessionRow | null> {
  if (!TOKEN.test(token)) return null
  const [row] = await sql.query<SessionRow>(`select ${COLUMNS} from platform.sessions where token_hash = $1`, [
    hashOf(secret, token),
  ])
  return row && !isOver(timesOf(row), nowMs) ? row : null
}

/** Records a use of the session. Sessions that were ended in the meantime stay ended. */
export async function renewSession(sql: Sql, row: SessionRow, nowMs: number): Promise<void> {
  if (!isRenewalDue(timesOf(row), nowMs)) return
  const { expiresAtMs, endsAtMs } = sessionTimes(nowMs, timesOf(row).endsAtMs)
  await sql.query(
    'update platform.sessions set last_used_at = $2, expires_at = $3, ends_at = $4 where session_id = $1',
    [row.sessionId, isoTime(nowMs), isoTime(expiresAtMs), isoTime(endsAtMs)],
  )
}

/** The user's currently valid sessions, the last used one first. */
export function sessionsOfUser(
  sql: Sql,
  { userId, tokenVersion }: Pick<NewSession, 'userId' | 'tokenVersion'>,
  nowMs: number,
): Promise<SessionRow[]> {
  return sql.query<SessionRow>(
    `select ${COLUMNS} from platform.sessions where user_id = $1 and token_version = $2 and expires_at > $3
     order by last_used_at desc, session_id`,
    [userId, tokenVersion, isoTime(nowMs)],
  )
}

/** Whether the user had such a session. */
export async function endSession(sql: Sql, userId: string, sessionId: string): Promise<boolean> {
  const ended = await sql.query(
    'delete from platform.sessions where session_id = $1 and user_id = $2 returning session_id',
    [sessionId, userId],
  )
  return ended.length > 0
}

export async function endSessionOfToken(sql: Sql, secret: string, token: string): Promise<void> {
  await sql.query('delete from platform.sessions where token_hash = $1', [hashOf(secret, token)])
}

export async function endSessionsOfUser(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from platform.sessions where user_id = $1', [userId])
}

function timesOf({ lastUsedAt, expiresAt, endsAt }: SessionRow): SessionTimes {
  return {
    lastUsedAtMs: Date.parse(lastUsedAt),
    expiresAtMs: Date.parse(expiresAt),
    endsAtMs: Date.parse(endsAt),
  }
}
