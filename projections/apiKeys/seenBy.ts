/**
 * SQL for the ids of the keys of company `$1` that a user may see who does not see them all: those that the user minted, and
 * those that are now in a project of which the user is a member.
 */
export function keysSeenBy(user: string): string {
  return `select key_id from read_models.api_keys where company_id = $1 and (minted_by = ${user}::uuid or project_id in (
            select project_id from read_models.projects where company_id = $1 and member_ids ? (${user}::uuid)::text))`
}
