import { loadInPieces } from '../../../platform/loadInPieces.ts'

type ToolServer = typeof import('./toolServer.ts')

let loading: Promise<ToolServer> | null = null

/** The tools, which are not needed to start: the SDK and the tools' schemas are loaded once. */
export function loadToolServer(): Promise<ToolServer> {
  loading ??= load().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function load(): Promise<ToolServer> {
  await loadInPieces([
    () => import('@modelcontextprotocol/sdk/types.js'),
    () => import('@modelcontextprotocol/sdk/server/index.js'),
    () => import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ])
  return import('./toolServer.ts')
}
