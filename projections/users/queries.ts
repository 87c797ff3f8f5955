import type { Sql } from '../runner/ports.ts'
import type { UserRow } from './projection.ts'

/** A user who is not erased. */
export type ActiveUser = Omit<UserRow, 'email' | 'email_lookup' | 'password_hash' | 'erased_at'> & {
  readonly email: string
  readonly email_lookup: string
  readonly password_hash: string
}

export async function activeUserById(sql: Sql, userId: string): Promise<ActiveUser | null> {
  const [row] = await sql.query<ActiveUser>(
    'select * from read_models.users where user_id = $1 and erased_at is null',
    [userId],
  )
  return row ?? null
}

/** Finds a user by the keyed hash of the address. If an address was registered twice, the first user counts. */
export async function activeUserByLookup(sql: Sql, emailLookup: string): Promise<ActiveUser | null> {
  const [row] = await sql.query<ActiveUser>(
    `select * from read_models.users where email_lookup = $1 and erased_at is null
     order by registered_at, user_id limit 1`,
    [emailLookup],
  )
  return row ?? null
}

/** The encrypted addresses of a company's admins, in the order of registration. */
export async function sealedAddressesOf(sql: Sql, companyId: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ email: string }>(
    `select email from read_models.users where company_id = $1 and erased_at is null
     order by registered_at, user_id limit $2`,
    [companyId, limit],
  )
  return rows.map(({ email }) => email)
}
