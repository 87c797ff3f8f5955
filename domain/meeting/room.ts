const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const LINKED = new RegExp(`^job-(${UUID})--talent-(${UUID})(?:--.*)?$`, 'is')

export type RoomLinks = { readonly jobId: string; readonly talentId: string }

/** What a room's name links its meetings to: `job-<jobId>--talent-<talentId>[--anything]`; null: nothing. */
export function linksOf(room: string): RoomLinks | null {
  const [, jobId, talentId] = LINKED.exec(room) ?? []
  return jobId && talentId ? { jobId: jobId.toLowerCase(), talentId: talentId.toLowerCase() } : null
}
