import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { anyQuery, route } from '../../../platform/http/route.ts'
import { publicFile } from './publicFile.ts'

const FILE = join(import.meta.dirname, '../../../check/check.mjs')
/** Changes only with an upgrade; an hour later everybody has the new one. */
const CACHE = 'public, max-age=3600'

let file: Promise<Buffer> | undefined

/** The offline checker of receipts and statements, as it is in the repository. It is read when it is first asked for. */
export const checker = route({
  method: 'GET',
  path: '/log/check.mjs',
  access: 'public',
  summary: 'The offline checker of receipts and statements, for Node and browsers',
  query: anyQuery,
  handle: async (input) => {
    file ??= readFile(FILE)
    file.catch(() => {
      file = undefined
    })
    const contentType = 'text/javascript; charset=utf-8'
    return publicFile(input, { contentType, cacheControl: CACHE, bytes: await file })
  },
})
