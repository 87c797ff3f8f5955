import type { Config } from '../../services/platform/config/config.ts'

/** What the background thread is started with. */
export type BackgroundData = { readonly config: Config; readonly databaseUrl: string }

export type ToBackground = { readonly type: 'metrics'; readonly id: number } | { readonly type: 'drain' }

export type FromBackground =
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'metrics'; readonly id: number; readonly text: string }
