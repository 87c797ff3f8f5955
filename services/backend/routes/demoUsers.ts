import { z } from 'zod'
import type { Runtime } from '../../../capabilities/installation.ts'
import { jsonReply } from '../../../platform/http/answer/reply.ts'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { activeUserById } from '../../../projections/users/queries.ts'
import { demoUsers, isLocalDemo } from '../localDemo.ts'

/** The demo users for the sign-in page of a sandbox installation on this machine. Elsewhere the list is empty. */
export function demoUsersRoute({ config, engines }: Pick<Runtime, 'config' | 'engines'>) {
  return route({
    method: 'GET',
    path: '/session/demo-users',
    access: 'public',
    summary: 'The demo users that sign in without a password',
    query: anyQuery,
    answer: z.object({
      users: z.array(z.object({ email: z.string(), isSuperAdmin: z.boolean(), role: z.string().nullable() })),
    }),
    handle: async ({ request }) => {
      const offered = isLocalDemo(request, config) ? await demoUsers(config.DATA_DIR) : []
      const rows = await Promise.all(offered.map(({ userId }) => activeUserById(engines.database, userId)))
      const users = offered.flatMap(({ email }, n) => {
        const row = rows[n]
        return row ? [{ email, isSuperAdmin: row.isSuperAdmin, role: row.role }] : []
      })
      return jsonReply(200, { users }, { 'cache-control': 'no-store' })
    },
  })
}
