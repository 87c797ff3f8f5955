import type { ServiceName } from '../routes.ts'
import type { HostileModels } from './hostileModels.ts'

/** What a request may contain and only a running installation knows: `{{key}}` in a head stands for an API key. */
export type Credentials = {
  /** An API key with every scope, of a company with credits. */
  readonly key: string
  readonly internal: string
  /** An access token of a company's admin. */
  readonly admin: string
  /** A key of the sandbox's payment API. */
  readonly payment: string
  /** Signs payment events. */
  readonly webhookSecret: string
}

/** Of the process under attack, since the last reading. */
export type Reading = {
  /** The most CPU time that the main thread spent in one turn of its event loop. */
  readonly stallMs: number
  readonly rssPeakMb: number
}

/** Running services, wherever they run. */
export type Target = {
  /** undefined if the service has no port here. */
  port(service: ServiceName | 'mail'): number | undefined
  readonly credentials: Credentials
  /** What no answer may contain. */
  readonly secrets: readonly string[]
  /** The provider of models, which answers marked calls as a case says. */
  readonly models: HostileModels
  read(): Promise<Reading>
  close(): Promise<void>
}
