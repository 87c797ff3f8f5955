/**
 * SQL for the ids of the keys of company `$1` that a user may see who does not see them all: those that the user minted, and
 * those that are now in a project of which the user is a member.
 */
export function keysSeenBy(user: string): string {
  return `select key_id from read_models.api_keys where company_id = $1
            and (minted_by = ${user}::uuid or project_id in (${projectsOf(user)}))`
}

/**
 * SQL for a condition on calls of company `$1`, or on sums of them: those that such a user may see. They are the calls of keys that
 * the user minted, and the calls that were made in a project of which the user is a member, wherever their keys are now. In tables
 * whose `project_id` is a text, an empty one means none. Arrays instead of subqueries let an index serve each side.
 */
export function callsSeenBy(user: string, projectId: 'uuid' | 'text'): string {
  const present = projectId === 'text' ? "project_id <> ''" : 'project_id is not null'
  return `(key_id = any(array(${keysMintedBy(user)})) or (${present} and project_id = any(array(${projectsOf(user)})::${projectId}[])))`
}

/** SQL for the ids of the keys of company `$1` that a user minted. */
export function keysMintedBy(user: string): string {
  return `select key_id from read_models.api_keys where company_id = $1 and minted_by = ${user}::uuid`
}

/** SQL for the ids of the projects of company `$1` that a user is a member of. */
export function projectsOf(member: string): string {
  return `select project_id from read_models.projects where company_id = $1 and member_ids ? (${member}::uuid)::text`
}
