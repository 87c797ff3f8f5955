import { UUID_SOURCE } from '../../contracts/uuid.ts'

const LINKED = new RegExp(`^job-(${UUID_SOURCE})--talent-(${UUID_SOURCE})(?:--.*)?$`, 'is')

export type RoomLinks = { readonly jobId: string; readonly talentId: string }

/** The job and talent that a room's name links: `job-<jobId>--talent-<talentId>[--anything]`; null if it links none. */
export function linksOf(room: string): RoomLinks | null {
  const [, jobId, talentId] = LINKED.exec(room) ?? []
  return jobId && talentId ? { jobId: jobId.toLowerCase(), talentId: talentId.toLowerCase() } : null
}
