import { randomUUID } from 'node:crypto'
import type { Installation } from '../../../capabilities/installation.ts'
import { SCOPES } from '../../../contracts/scopes.ts'
import { streamName } from '../../../contracts/streams.ts'
import { apiKeyDecider } from '../../../domain/apiKey/decider.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { parseCredits } from '../../../domain/credits.ts'
import { isoTime, systemClock } from '../../../platform/clock/clock.ts'
import { mintRawKey } from '../../../platform/secrets/rawKeys.ts'

export type SoakKey = { readonly keyId: string; readonly apiKey: string; readonly rpm: number }

export type Customers = {
  readonly companyIds: readonly string[]
  /** The keys of the load: several for each company. */
  readonly keys: readonly SoakKey[]
}

const ACTOR = { kind: 'system', name: 'soak' } as const
const COMPANIES = 4
const KEYS_PER_COMPANY = 2
const UNLIMITED = 1_000_000_000
const REVOKE_MS_MAX = 60_000
const REVOKE_AGAIN_MS = 100

type Parts = Pick<Installation, 'commands' | 'ledger'>

/** Creates companies with more credits than a soak uses, with the backend's commands. */
export async function registerCustomers(engines: Parts): Promise<Customers> {
  const companyIds = Array.from({ length: COMPANIES }, () => randomUUID())
  const keys: SoakKey[] = []
  for (const companyId of companyIds) {
    await register(engines, companyId)
    for (let n = 0; n < KEYS_PER_COMPANY; n++) keys.push(await mintKey(engines, companyId))
  }
  return { companyIds, keys }
}

async function register({ commands, ledger }: Parts, companyId: string): Promise<void> {
  const at = isoTime(systemClock.now())
  await commands.handle(
    companyDecider,
    streamName('company', companyId),
    { type: 'RegisterCompany', companyId, name: `Company ${companyId}`, billingMode: 'PREPAID', at },
    context(companyId),
  )
  const grant = ledger.draft({
    type: 'GrantCredits',
    companyId,
    grantId: randomUUID(),
    source: 'ADJUSTMENT',
    amountMicros: parseCredits('1000000000'),
    reason: 'soak',
    at,
  })
  await ledger.book(grant, companyId, ACTOR)
}

export async function mintKey({ commands }: Parts, companyId: string, rpm: number = UNLIMITED): Promise<SoakKey> {
  const keyId = randomUUID()
  const { raw: apiKey, ...kept } = mintRawKey()
  await commands.handle(
    apiKeyDecider,
    streamName('apiKey', keyId),
    {
      type: 'MintApiKey',
      keyId,
      companyId,
      name: 'Soak key',
      ...kept,
      scopes: SCOPES,
      models: null,
      rpm,
      tpm: 100 * UNLIMITED,
      expiresAt: null,
      label: null,
      budget: null,
      rotatedFrom: null,
      at: isoTime(systemClock.now()),
    },
    context(keyId),
  )
  return { keyId, apiKey, rpm }
}

/** Resolves when the revocation is stored, as soon as the store takes it. */
export async function revokeKey({ commands }: Parts, keyId: string): Promise<void> {
  const stream = streamName('apiKey', keyId)
  const intent = context(keyId)
  for (const end = performance.now() + REVOKE_MS_MAX; ; ) {
    try {
      await commands.handle(
        apiKeyDecider,
        stream,
        { type: 'RevokeApiKey', keyId, at: isoTime(systemClock.now()) },
        intent,
      )
      return
    } catch (error) {
      // A store that is away; under the same command id the next attempt is the same intent.
      if (performance.now() > end) throw error
      await systemClock.delay(REVOKE_AGAIN_MS)
    }
  }
}

function context(correlationId: string) {
  return { commandId: randomUUID(), correlationId, actor: ACTOR }
}
