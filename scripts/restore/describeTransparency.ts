import { openSigningKeys } from '../../capabilities/transparency/signingKeys.ts'
import type { Config } from '../../platform/config/config.ts'
import type { NewOrigin } from './newOrigin.ts'
import type { SavedTransparencyLog } from './savedTransparencyLog.ts'

/** What a restore did to the origin of the transparency log, for the operator; null if there was no log. */
export type TransparencyAfterRestore = {
  readonly origin: string
  readonly isNew: boolean
  readonly reason: string | null
  /** The verifier key of a new origin; null if this command has no signing key in its settings. */
  readonly vkey: string | null
}

export async function transparencyAfterRestore(
  config: Config,
  transparencyLog: SavedTransparencyLog,
  started: NewOrigin | null,
): Promise<TransparencyAfterRestore | null> {
  if (started) {
    const { origin, reason } = started
    return { origin, isNew: true, reason, vkey: await verifierKeyOf(config, origin) }
  }
  return transparencyLog.origin === null
    ? null
    : { origin: transparencyLog.origin, isNew: false, reason: null, vkey: null }
}

export function describeTransparency({ origin, isNew, reason, vkey }: TransparencyAfterRestore): string {
  if (!isNew) {
    return `The transparency log keeps its origin ${origin}: leave LOG_ORIGIN and LOG_SIGNING_KEY as they were.\n`
  }
  const key =
    vkey === null
      ? 'Publish its verifier key, which the backend serves as /log/vkey once it runs.'
      : `Publish its verifier key: ${vkey}`
  return `The transparency log continues under a new origin, ${origin} (${reason}). ${key}\n`
}

/** A sandbox installation on its own database has its secrets in DATA_DIR; others need LOG_SIGNING_KEY. */
async function verifierKeyOf(config: Config, origin: string): Promise<string | null> {
  const hasSecrets = config.sandbox && config.DATABASE_URL === undefined
  if (config.LOG_SIGNING_KEY === undefined && !hasSecrets) return null
  return (await openSigningKeys(config)).of(origin)[0].vkey
}
