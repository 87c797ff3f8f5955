import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Reply } from '../answer/reply.ts'
import { anyQuery, type Route, route } from '../route.ts'
import type { OpenApiDocument } from './openApiDocument.ts'

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const
type Asset = keyof typeof ASSETS

/** The page connects only to the server it came from, and runs no script but ours. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/**
 * A documentation page from which requests can be sent, and the document that it shows, all served from here. The
 * document is made on first use: that takes time, and most processes never show it.
 */
export function apiDocsRoutes(mount: string, document: () => OpenApiDocument): Route[] {
  let made: OpenApiDocument | undefined
  const theDocument = () => {
    made ??= document()
    return made
  }
  const page = (path: string, contentType: string, body: () => string | Promise<Buffer>) =>
    route({
      method: 'GET',
      path: `${mount}${path}`,
      access: 'public',
      summary: 'The documentation page',
      query: anyQuery,
      handle: async () => new Reply(200, contentType, await body(), HEADERS),
    })
  return [
    route({
      method: 'GET',
      path: `${mount}/openapi.json`,
      access: 'public',
      summary: 'This interface as an OpenAPI document',
      query: anyQuery,
      handle: theDocument,
    }),
    page('/docs', 'text/html; charset=utf-8', () => pageOf(mount, theDocument().info.title)),
    page('/docs/begin.js', 'text/javascript; charset=utf-8', () => beginOf(`${mount}/openapi.json`)),
    ...Object.entries(ASSETS).map(([name, contentType]) =>
      page(`/docs/${name}`, contentType, () => asset(name as Asset)),
    ),
  ]
}

const loaded = new Map<Asset, Promise<Buffer>>()

/** Read on first use: most installations never show the page. */
function asset(name: Asset): Promise<Buffer> {
  const known = loaded.get(name)
  if (known) return known
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const reading = readFile(join(folder, name))
  loaded.set(name, reading)
  reading.catch(() => loaded.delete(name))
  return reading
}

function pageOf(mount: string, title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${mount}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${mount}/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="${mount}/docs/swagger-ui-bundle.js"></script>
<script src="${mount}/docs/begin.js"></script>
</body>
</html>
`
}

/** Without the validator, which would send the document to an external server. */
function beginOf(documentUrl: string): string {
  return `SwaggerUIBundle({
  url: ${JSON.stringify(documentUrl)},
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
})
`
}
