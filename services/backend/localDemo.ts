import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../platform/config/config.ts'
import { isLoopback } from '../../platform/config/sandboxParties.ts'
import { readPrivateFile } from '../../platform/files/privateFile.ts'
import { hostOf } from './sessionCookie.ts'

type Settings = Pick<Config, 'sandbox' | 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>
type DemoRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Whether a request comes from a browser on the machine of a sandbox installation that only this machine reaches: only then
 * may it sign in as a demo user without a password. The name of the host must be that of loopback too, because a page of another
 * site can make its own name lead here.
 */
export function isLocalDemo(request: DemoRequest, { sandbox, HOST, PUBLIC_URL, TRUST_PROXY }: Settings): boolean {
  if (!sandbox || !isLoopback(HOST) || TRUST_PROXY > 0) return false
  if (PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname.replace(/^\[|\]$/g, ''))) return false
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  if (!isLoopback(peer) || !isLoopback(hostOf(request).hostname)) return false
  return FORWARDED.every((name) => request.headers[name] === undefined)
}

const demoFile = z.object({
  adminId: z.uuid(),
  adminEmail: z.string(),
  superAdminId: z.uuid(),
  superAdminEmail: z.string(),
  auditorId: z.uuid(),
  auditorEmail: z.string(),
})

export type DemoUser = { readonly userId: string; readonly email: string }

/** The users of demo.json, the most useful first; none if the file is missing. */
export async function demoUsers(dataDir: string): Promise<readonly DemoUser[]> {
  const demo = await readPrivateFile(join(dataDir, 'demo.json'), demoFile, 'start again')
  if (!demo) return []
  return [
    { userId: demo.adminId, email: demo.adminEmail },
    { userId: demo.auditorId, email: demo.auditorEmail },
    { userId: demo.superAdminId, email: demo.superAdminEmail },
  ]
}
