import type { Sql } from '../runner/ports.ts'
import type { ProjectRow } from './projection.ts'

export function allProjects(sql: Sql): Promise<ProjectRow[]> {
  return sql.query<ProjectRow>('select * from read_models.projects')
}

export type ProjectsQuery = {
  readonly companyId: string
  /** Only projects that this user is a member of; null: all. */
  readonly memberId: string | null
  readonly includeArchived: boolean
}

/** The projects of a company, the oldest first. Their number is limited. */
export function projectsOf(sql: Sql, { companyId, memberId, includeArchived }: ProjectsQuery): Promise<ProjectRow[]> {
  return sql.query<ProjectRow>(
    `select * from read_models.projects
     where company_id = $1 and ($2::text is null or member_ids ? $2::text) and ($3 or not archived)
     order by created_at, project_id`,
    [companyId, memberId, includeArchived],
  )
}

export async function projectOf(sql: Sql, companyId: string, projectId: string): Promise<ProjectRow | null> {
  const [row] = await sql.query<ProjectRow>(
    'select * from read_models.projects where company_id = $1 and project_id = $2',
    [companyId, projectId],
  )
  return row ?? null
}

/** How many projects a company has, archived ones included. */
export async function projectCountOf(sql: Sql, companyId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::int as count from read_models.projects where company_id = $1',
    [companyId],
  )
  return row?.count ?? 0
}

/** How many keys of each project can be used at this time; projects without one are omitted. */
export async function liveKeysByProject(sql: Sql, companyId: string, at: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ projectId: string; count: number }>(
    `select project_id, count(*)::int as count from read_models.api_keys
     where company_id = $1 and project_id is not null and status = 'LIVE' and (expires_at is null or expires_at > $2)
     group by project_id`,
    [companyId, at],
  )
  return new Map(rows.map(({ projectId, count }) => [projectId, count]))
}
