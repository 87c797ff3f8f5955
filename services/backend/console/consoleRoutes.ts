import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { HttpError } from '../../../platform/http/answer/httpError.ts'
import { htmlReply, Reply } from '../../../platform/http/answer/reply.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { pageHeaders } from '../pageHeaders.ts'
import type { BuiltFile } from './builtFiles.ts'
import type { ConsoleBuild } from './consoleBuild.ts'

/** How often the page reloads while the build is unfinished. */
const RELOAD_SECONDS = 2

const TEXTS = {
  building: 'The console is being built, which takes some seconds after the first start. This page reloads by itself.',
  failed:
    'The console could not be built. Everything else works: keys, calls and GraphQL. The log has the reason; the next start builds it again.',
} as const

/**
 * The paths of the console's pages, as its router has them (`console/src/router.tsx`; a test compares the two).
 * All of them answer with the same document, and no other path does.
 */
export const CONSOLE_PAGES = [
  '/',
  '/sign-in',
  '/forgotten-password',
  '/console/invitation',
  '/console/reset-password',
  '/keys',
  '/calls',
  '/calls/:id',
  '/usage',
  '/companies',
  '/payments',
  '/prices',
  '/statement',
  '/trail',
  '/models',
  '/setup',
  '/operations',
  '/billing',
  '/people',
] as const

/** Assets have a hash of their content in their names. */
const ASSET_CACHING = 'public, max-age=31536000, immutable'

/** The console: one document for all of its pages, and its assets. */
export function consoleRoutes(build: Pick<ConsoleBuild, 'state'>): Route[] {
  const page = ({ request }: { request: IncomingMessage }) => {
    const { state } = build
    if (state.status === 'built')
      return fileReply(state.console.index, request, { ...pageHeaders('console'), 'cache-control': 'no-cache' })
    return htmlReply(200, statePage(state.status), { ...pageHeaders('console'), 'cache-control': 'no-store' })
  }
  return [
    ...CONSOLE_PAGES.map((path) =>
      route({ method: 'GET', path, access: 'public', summary: 'A page of the console', query: anyQuery, handle: page }),
    ),
    route({
      method: 'GET',
      path: '/assets/:name',
      access: 'public',
      summary: 'A script, style sheet or picture of the console',
      query: anyQuery,
      handle: ({ request, params: { name = '' } }) => {
        const { state } = build
        const file = state.status === 'built' ? state.console.assets.get(name) : undefined
        if (!file) throw new HttpError(404, `the console has no file ${JSON.stringify(name.slice(0, 100))}`)
        return fileReply(file, request, { 'cache-control': ASSET_CACHING, 'x-content-type-options': 'nosniff' })
      },
    }),
  ]
}

function fileReply(file: BuiltFile, { headers }: IncomingMessage, more: OutgoingHttpHeaders): Reply {
  const accepted = String(headers['accept-encoding'] ?? '')
  const shared = { ...more, vary: 'accept-encoding' }
  for (const [encoding, bytes] of [['br', file.brotli] as const, ['gzip', file.gzip] as const]) {
    if (bytes && accepts(accepted, encoding)) {
      return new Reply(200, file.contentType, bytes, { ...shared, 'content-encoding': encoding })
    }
  }
  return new Reply(200, file.contentType, file.bytes, shared)
}

/** An encoding with quality 0 is not accepted. */
function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}

/** The page shown until the console is built. It has no scripts or styles, because its policy forbids them. */
function statePage(status: keyof typeof TEXTS): string {
  const reload = status === 'building' ? `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">` : ''
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${reload}<title>Tollgate</title><h1>Tollgate</h1><p>${TEXTS[status]}</p></html>
`
}
