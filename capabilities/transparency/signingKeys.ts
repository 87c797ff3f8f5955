import { hkdfSync } from 'node:crypto'
import type { Config } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { generatedSecrets } from '../../platform/secrets/generatedSecrets.ts'
import {
  isKeyName,
  parseSigningKey,
  renamedKey,
  type SigningKey,
  signingKey,
  splitSigningKeys,
} from '../../platform/secrets/noteKeys.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { publishedKeys, readKeyHistory } from './keyHistory.ts'

/** The keys that sign checkpoints and statements. */
export type SigningKeys = {
  /** The configured origin. */
  readonly origin: string
  /** The keys with the name of an origin, newest first. An origin that a restore started has keys of the same seeds. */
  of(origin: string): readonly [SigningKey, ...SigningKey[]]
}

type SigningSettings = Pick<Config, 'sandbox' | 'DATA_DIR' | 'LOG_ORIGIN' | 'LOG_SIGNING_KEY' | 'PUBLIC_URL'>

/** A sandbox installation without LOG_SIGNING_KEY has keys that derive from its generated secrets. */
export async function openSigningKeys(config: SigningSettings): Promise<SigningKeys> {
  if (!config.sandbox || config.LOG_SIGNING_KEY !== undefined) return signingKeysOf(config)
  const { jwtSecret } = await generatedSecrets(config.DATA_DIR)
  const seed = derived(jwtSecret, 'tollgate/log-signing-key/v1', 32)
  const origin =
    config.LOG_ORIGIN ?? `tollgate.sandbox/${derived(jwtSecret, 'tollgate/log-origin/v1', 8).toString('hex')}`
  return signingKeys(origin, [signingKey(origin, seed)])
}

/** The keys of LOG_SIGNING_KEY. Throws if they cannot sign for the origin. */
export function signingKeysOf({
  sandbox,
  LOG_ORIGIN,
  LOG_SIGNING_KEY,
  PUBLIC_URL,
}: Omit<SigningSettings, 'DATA_DIR'>): SigningKeys {
  if (LOG_SIGNING_KEY === undefined) {
    throw new SettingError('LOG_SIGNING_KEY is not set: "npm run admin -- log-key" generates one')
  }
  const [newest, ...older] = splitSigningKeys(LOG_SIGNING_KEY).map(parseSigningKey) as [SigningKey, ...SigningKey[]]
  const origin = LOG_ORIGIN ?? (sandbox ? newest.name : originOf(PUBLIC_URL))
  const other = [newest, ...older].find(({ name }) => name !== origin)
  if (other) {
    throw new SettingError(
      `LOG_SIGNING_KEY has a key with the name ${other.name}, but the log's origin is ${origin} (LOG_ORIGIN, or the host of ` +
        'PUBLIC_URL): a checkpoint is signed by a key with the name of its origin, so set LOG_ORIGIN to that name, or ' +
        `generate a key by "npm run admin -- log-key --origin ${origin}"`,
    )
  }
  return signingKeys(origin, [newest, ...older])
}

/** The default of LOG_ORIGIN. */
export function originOf(publicUrl: string | undefined): string {
  const host = publicUrl === undefined ? '' : new URL(publicUrl).host
  if (isKeyName(host)) return host
  throw new SettingError("LOG_ORIGIN is not set, and there is no PUBLIC_URL whose host would be the log's origin")
}

/** The origin of the log: the one that a restore started, or that of its checkpoints, or else the configured one. */
export async function currentOrigin(sql: Sql, keys: Pick<SigningKeys, 'origin'>): Promise<string> {
  const [row] = await sql.query<{ origin: string | null }>(
    `select coalesce(origin, (select origin from ledger_log.checkpoints order by number desc limit 1)) as origin
     from ledger_log.progress`,
  )
  return row?.origin ?? keys.origin
}

/** The verifier keys that outsiders need, the current one first. Empty if another log's key is configured. */
export async function currentKeys(sql: Sql, keys: SigningKeys): Promise<ReturnType<typeof publishedKeys>> {
  const origin = await currentOrigin(sql, keys)
  return publishedKeys(await readKeyHistory(sql, origin), keys.of(origin))
}

/** The verifier key of new checkpoints. */
export async function currentVkey(sql: Sql, config: SigningSettings): Promise<string> {
  const keys = await openSigningKeys(config)
  const { vkeys } = await currentKeys(sql, keys)
  return vkeys[0] ?? ''
}

function signingKeys(origin: string, keys: readonly [SigningKey, ...SigningKey[]]): SigningKeys {
  return {
    origin,
    of: (name) => {
      const [newest, ...older] = keys
      return [renamedKey(newest, name), ...older.map((key) => renamedKey(key, name))]
    },
  }
}

const derived = (secret: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes))
