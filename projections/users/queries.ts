import type { Role } from '../../contracts/roles.ts'
import type { Sql } from '../runner/ports.ts'
import type { UserRow } from './projection.ts'

/** A user who is neither erased nor removed from their company. */
export type ActiveUser = Omit<UserRow, 'email' | 'emailLookup' | 'passwordHash' | 'erasedAt'> & {
  readonly email: string
  readonly emailLookup: string
  readonly passwordHash: string
  /** null only for a super admin who belongs to no company. */
  readonly role: Role | null
}

/**
 * Users with their roles. A user without an assigned role was registered before there were roles: the first one of a
 * company is its owner, the others are admins, as `domain/company/members.ts` records them at the first change.
 */
const ACTIVE = `select u.*, case
    when u.company_id is null then null
    when m.user_id is not null then m.role
    when exists (select 1 from read_models.members x where x.company_id = u.company_id) then 'ADMIN'
    when exists (select 1 from read_models.users o where o.company_id = u.company_id and o.erased_at is null
      and (o.registered_at, o.user_id) < (u.registered_at, u.user_id)) then 'ADMIN'
    else 'OWNER' end as role
  from read_models.users u
  left join read_models.members m on m.company_id = u.company_id and m.user_id = u.user_id
  where u.erased_at is null and (m.user_id is null or m.role is not null)`
const BY_AGE = 'order by u.registered_at, u.user_id'

export async function activeUserById(sql: Sql, userId: string): Promise<ActiveUser | null> {
  const [row] = await sql.query<ActiveUser>(`${ACTIVE} and u.user_id = $1`, [userId])
  return row ?? null
}

/** Finds a user by the keyed hash of the address. If an address was registered twice, the first user counts. */
export async function activeUserByLookup(sql: Sql, emailLookup: string): Promise<ActiveUser | null> {
  const [row] = await sql.query<ActiveUser>(`${ACTIVE} and u.email_lookup = $1 ${BY_AGE} limit 1`, [emailLookup])
  return row ?? null
}

/** The company that a user belongs to or belonged to before an erasure or a removal; null if there is none. */
export async function companyOfUser(sql: Sql, userId: string): Promise<string | null> {
  const [row] = await sql.query<Pick<UserRow, 'companyId'>>(
    'select company_id from read_models.users where user_id = $1',
    [userId],
  )
  return row?.companyId ?? null
}

/** The keyed hash of a user's address, even if removed; null for an unknown or erased user. */
export async function emailLookupOf(sql: Sql, userId: string): Promise<string | null> {
  const [row] = await sql.query<Pick<UserRow, 'emailLookup'>>(
    'select email_lookup from read_models.users where user_id = $1',
    [userId],
  )
  return row?.emailLookup ?? null
}

/** In the order of registration. */
export function activeUsersOf(sql: Sql, companyId: string, limit: number): Promise<ActiveUser[]> {
  return sql.query<ActiveUser>(`${ACTIVE} and u.company_id = $1 ${BY_AGE} limit $2`, [companyId, limit])
}

/** The users of a company without an assigned role, in the order of registration. */
export async function unrecordedUsersOf(sql: Sql, companyId: string): Promise<string[]> {
  const rows = await sql.query<{ userId: string }>(
    `select u.user_id from read_models.users u
     where u.company_id = $1 and u.erased_at is null and not exists (select 1 from read_models.members m
       where m.company_id = u.company_id and m.user_id = u.user_id) ${BY_AGE}`,
    [companyId],
  )
  return rows.map(({ userId }) => userId)
}

/** The encrypted addresses of the users who look after a company's credits, in the order of registration. */
export async function sealedAddressesOf(sql: Sql, companyId: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ email: string }>(
    `select email from (${ACTIVE} and u.company_id = $1) as u
     where u.role in ('OWNER', 'ADMIN', 'BILLING') ${BY_AGE} limit $2`,
    [companyId, limit],
  )
  return rows.map(({ email }) => email)
}

/** The encrypted addresses of the super admins, in the order of registration. */
export async function sealedAddressesOfSuperAdmins(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql.query<{ email: string }>(`${ACTIVE} and u.is_super_admin ${BY_AGE} limit $1`, [limit])
  return rows.map(({ email }) => email)
}

/** Includes users who were removed or erased, for lists of what they did. */
export function usersNamed(
  sql: Sql,
  userIds: readonly string[],
): Promise<Pick<UserRow, 'userId' | 'companyId' | 'email' | 'isSuperAdmin' | 'erasedAt'>[]> {
  return sql.query(
    `select user_id, company_id, email, is_super_admin, erased_at from read_models.users where user_id = any($1::uuid[])`,
    [userIds],
  )
}
