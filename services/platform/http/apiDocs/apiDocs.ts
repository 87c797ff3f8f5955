import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { sendBytes, sendJson } from '../answers.ts'
import type { OpenApiDocument } from '../openApi.ts'
import type { ServiceRoute, ServiceRoutes } from '../serviceRoutes.ts'

const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const
type Asset = keyof typeof ASSETS

/** The page asks nobody but the server that it came from, and runs no script but ours. */
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

/** A page of documentation from which requests can be sent, and the document that it shows; all of it served from here. */
export function apiDocsRoutes(mount: string, document: OpenApiDocument): ServiceRoutes {
  const page = Buffer.from(pageOf(mount, document.info.title))
  const begin = Buffer.from(beginOf(`${mount}/openapi.json`))
  const bytes =
    (contentType: string, body: () => Promise<Buffer> | Buffer): ServiceRoute['handle'] =>
    async (_request, response) =>
      sendBytes(response, 200, contentType, await body(), HEADERS)
  const routes: Record<string, ServiceRoute> = {
    [`GET ${mount}/openapi.json`]: {
      access: 'public',
      handle: (_request, response) => sendJson(response, 200, document),
    },
    [`GET ${mount}/docs`]: { access: 'public', handle: bytes('text/html; charset=utf-8', () => page) },
    [`GET ${mount}/docs/begin.js`]: { access: 'public', handle: bytes('text/javascript; charset=utf-8', () => begin) },
  }
  for (const [name, contentType] of Object.entries(ASSETS)) {
    routes[`GET ${mount}/docs/${name}`] = { access: 'public', handle: bytes(contentType, () => asset(name as Asset)) }
  }
  return routes
}

const loaded = new Map<Asset, Promise<Buffer>>()

/** Read when it is first asked for: most installations never show the page. */
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

/** Without the validator, which would send the document to a server elsewhere. */
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
