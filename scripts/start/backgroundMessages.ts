import type { Config } from '../../platform/config/config.ts'

/** The data that the background thread starts with. */
export type BackgroundData = { readonly config: Config }

export type ToBackground =
  /** Open the engines and start the projector. */
  | { readonly type: 'startProjector'; readonly databaseUrl: string }
  /** Start the reactor and the relay, once the services that they call answer. */
  | { readonly type: 'startReactor' }
  | { readonly type: 'metrics'; readonly id: number }
  | { readonly type: 'drain' }

export type FromBackground =
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'metrics'; readonly id: number; readonly text: string }
