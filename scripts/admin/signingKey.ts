import { randomBytes } from 'node:crypto'
import { originOf } from '../../capabilities/transparency/signingKeys.ts'
import { readConfig } from '../../platform/config/config.ts'
import { isKeyName, signingKey } from '../../platform/secrets/noteKeys.ts'
import { WrongUsage } from '../cli/command.ts'

export type SigningKeyOptions = {
  readonly origin?: string | undefined
  readonly 'key-only'?: boolean | undefined
  readonly json?: boolean | undefined
}

/** Generates a key for LOG_SIGNING_KEY. It is stored nowhere. */
export async function generateSigningKey({ origin, json, ...options }: SigningKeyOptions): Promise<number> {
  const { LOG_ORIGIN, PUBLIC_URL, sandbox } = readConfig(process.env)
  // In a sandbox installation PUBLIC_URL is an address of this machine, which cannot name a log.
  const name = origin ?? LOG_ORIGIN ?? (sandbox ? undefined : originOf(PUBLIC_URL))
  if (name === undefined) throw new WrongUsage("--origin is missing: the log's name, such as tollgate.example")
  if (!isKeyName(name)) throw new WrongUsage('--origin must have neither spaces nor a plus')
  const { text, vkey } = signingKey(name, randomBytes(32))
  if (json) process.stdout.write(`${JSON.stringify({ origin: name, signingKey: text, vkey }, null, 2)}\n`)
  else if (options['key-only']) process.stdout.write(`${text}\n`)
  else {
    process.stdout.write(`LOG_ORIGIN=${name}\nLOG_SIGNING_KEY=${text}\nVerifier key, which is public: ${vkey}\n`)
  }
  return 0
}
