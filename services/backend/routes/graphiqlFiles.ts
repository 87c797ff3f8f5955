import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { Reply } from '../../../platform/http/answer/reply.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { pageHeaders } from '../pageHeaders.ts'
import type { BackendCaller } from '../userGuard.ts'

type Library = typeof import('@graphql-yoga/render-graphiql/graphiql')
type Part = { readonly type: 'javascript' | 'css'; readonly text: (library: Library) => string }

const BEGIN = `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) =>
    ({ json: '/graphql/json.worker.js', graphql: '/graphql/graphql.worker.js' })[label] ?? '/graphql/editor.worker.js',
}
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), {
  endpoint: '/graphql',
  title: 'Tollgate GraphQL',
  credentials: 'same-origin',
  subscriptionsProtocol: 'WS',
  shouldPersistHeaders: false,
  defaultQuery: '# Signed in by your session. Ctrl-Enter runs the query.\\n{\\n  whoAmI {\\n    email\\n    role\\n  }\\n}\\n',
})
`

/** The files of GraphiQL. All of them come from a package, none from another server. */
const PARTS: Readonly<Record<string, Part>> = {
  'graphiql.js': { type: 'javascript', text: ({ js }) => js },
  'graphiql.css': { type: 'css', text: ({ css }) => css },
  'begin.js': { type: 'javascript', text: () => BEGIN },
  'editor.worker.js': { type: 'javascript', text: ({ editorWorkerService }) => editorWorkerService },
  'json.worker.js': { type: 'javascript', text: ({ jsonWorker }) => jsonWorker },
  'graphql.worker.js': { type: 'javascript', text: ({ graphqlWorker }) => graphqlWorker },
}

const FILE_HEADERS = {
  ...pageHeaders('graphiql'),
  // They change only with an upgrade.
  'cache-control': 'private, max-age=3600',
  vary: 'accept-encoding',
}

const compressed = new Map<string, Promise<Buffer>>()

/** Loaded and compressed on first use: it is 9 MB, and most processes never serve it. */
function compressedPart(name: string, part: Part): Promise<Buffer> {
  const known = compressed.get(name)
  if (known) return known
  const making = import('@graphql-yoga/render-graphiql/graphiql').then((library) => promisify(gzip)(part.text(library)))
  compressed.set(name, making)
  making.catch(() => compressed.delete(name))
  return making
}

/** The scripts and styles of GraphiQL, for people who are signed in. */
export const graphiqlFiles: readonly Route<BackendCaller>[] = Object.entries(PARTS).map(([name, part]) =>
  route<BackendCaller>({
    method: 'GET',
    path: `/graphql/${name}`,
    access: 'user',
    summary: 'A file of GraphiQL',
    query: anyQuery,
    handle: async ({ request, caller }) => {
      if (!caller) throw new HttpError(401, 'GraphiQL is for people who are signed in')
      const bytes = await compressedPart(name, part)
      const contentType = `text/${part.type}; charset=utf-8`
      if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
        return new Reply(200, contentType, bytes, { ...FILE_HEADERS, 'content-encoding': 'gzip' })
      }
      return new Reply(200, contentType, await promisify(gunzip)(bytes), FILE_HEADERS)
    },
  }),
)
