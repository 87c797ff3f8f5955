import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Reply } from '../../platform/http/reply.ts'
import { anyQuery, route } from '../../platform/http/route.ts'

const FILE = join(import.meta.dirname, '../../../check/check.mjs')
const HEADERS = {
  // It changes with an upgrade only, and an hour later everybody has the new one.
  'cache-control': 'public, max-age=3600',
  // A page of an auditor, which is served from elsewhere, may import it.
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
}

let file: Promise<Buffer> | undefined

/** The offline checker of receipts, as it is in the repository. It is read when it is first asked for. */
export const checker = route({
  method: 'GET',
  path: '/log/check.mjs',
  access: 'public',
  summary: 'The offline checker of receipts, for Node and browsers',
  query: anyQuery,
  handle: async () => {
    file ??= readFile(FILE)
    file.catch(() => {
      file = undefined
    })
    return new Reply(200, 'text/javascript; charset=utf-8', await file, HEADERS)
  },
})
