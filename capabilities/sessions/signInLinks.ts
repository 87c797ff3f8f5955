import { hash, randomBytes } from 'node:crypto'
import { isoTime } from '../../platform/clock/clock.ts'
import type { Database, Sql } from '../../projections/runner/ports.ts'

/** How long after the start the link can be used. Each start makes a new one. */
export const SIGN_IN_LINK_MS = 60 * 60_000

/** The prefix by which logs recognise it as a secret. */
const PREFIX = 'tg_signin_'

type Subject = { readonly userId: string; readonly tokenVersion: number }

/** A new token that signs the user in once. Tokens of earlier starts become invalid. */
export async function newSignInLink(
  database: Database,
  { userId, tokenVersion }: Subject,
  nowMs: number,
): Promise<string> {
  const token = PREFIX + randomBytes(32).toString('base64url')
  await database.transaction(async (sql) => {
    await sql.query('delete from platform.sign_in_links')
    await sql.query(
      'insert into platform.sign_in_links (token_hash, user_id, token_version, expires_at) values ($1, $2, $3, $4)',
      [hashOf(token), userId, tokenVersion, isoTime(nowMs + SIGN_IN_LINK_MS)],
    )
  })
  return token
}

/** The user that the token signs in; null if unknown, expired or used. Two concurrent requests use it only once. */
export async function spendSignInLink(sql: Sql, token: string, nowMs: number): Promise<Subject | null> {
  if (!token.startsWith(PREFIX)) return null
  const [row] = await sql.query<{ userId: string; tokenVersion: number; expiresAt: string }>(
    'delete from platform.sign_in_links where token_hash = $1 returning user_id, token_version, expires_at',
    [hashOf(token)],
  )
  // One made while the clock was ahead would last longer than a link should.
  const leftMs = row ? Date.parse(row.expiresAt) - nowMs : 0
  if (!row || leftMs <= 0 || leftMs > SIGN_IN_LINK_MS) return null
  return { userId: row.userId, tokenVersion: row.tokenVersion }
}

/** A token has 256 random bits, so a plain SHA-256 is safe to store. */
function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
