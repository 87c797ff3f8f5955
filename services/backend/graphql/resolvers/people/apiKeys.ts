import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../../../contracts/scopes.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { apiKeyDecider, decide, type KeySettings, type MintApiKey } from '../../../../../domain/apiKey/decider.ts'
import { creditsOf } from '../../../../../domain/credits.ts'
import { KeyStamp } from '../../../../../platform/secrets/keyStamp.ts'
import { budgetOf, familyOf, lastSet } from '../../../../../projections/apiKeys/family.ts'
import { type ApiKeyRow, apiKeys as apiKeysModel } from '../../../../../projections/apiKeys/projection.ts'
import { apiKeysOf } from '../../../../../projections/apiKeys/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { onlyKeysOf, requireVisibleKey } from '../../access/visibleKeys.ts'
import { apiError } from '../../apiError.ts'
import { change, changed, type GraphqlContext, nowOf, recordChange, send } from '../../context.ts'
import type { ApiKeySecret, KeyBudgetInput, Resolvers, UpdateApiKeyInput } from '../../generated.ts'
import { PartlyDone } from '../../maskError.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'
import { shownChanged, shownKeys } from '../../shownKeys.ts'

export const apiKeys: Resolvers = {
  Query: {
    apiKeys: async (_source, _args, context) => {
      const companyId = requireCompany(context)
      const rows = await apiKeysOf(context.runtime.engines.database, companyId, LIST_ROWS_MAX)
      const owner = onlyKeysOf(context)
      const own = new Set(rows.filter(({ mintedBy }) => mintedBy === owner).map(({ keyId }) => keyId))
      const shown = await shownKeys(context, companyId, rows)
      return owner === null ? shown : shown.filter(({ id }) => own.has(id))
    },
  },

  Mutation: {
    mintApiKey: async (_source, { input }, context) => {
      const { DEFAULT_KEY_RPM, DEFAULT_KEY_TPM } = context.runtime.config
      const { command, raw } = minting(context, {
        companyId: requireCompany(context),
        name: input.name,
        scopes: input.scopes ? requireScopes(input.scopes) : DEFAULT_SCOPES,
        models: input.models ?? null,
        rpm: input.rpm ?? DEFAULT_KEY_RPM,
        tpm: input.tpm ?? DEFAULT_KEY_TPM,
        expiresAt: input.expiresAt ?? null,
        label: input.label ?? null,
        budget: input.budget ? budgetIn(input.budget) : null,
        rotatedFrom: null,
      })
      return mint(context, command, raw)
    },

    // The old key's stream records the rotation first, because only it knows whether that key is live.
    rotateApiKey: async (_source, { id, expiresAt }, context) => {
      const key = await requireVisibleKey(context, id)
      const { companyId, name, scopes, models } = key
      const kept = { companyId, name, scopes: scopes as readonly Scope[], models }
      // The budget stays with the first key of the rotation, and all of them share it.
      const limits = { rpm: Number(key.rpm), tpm: Number(key.tpm), label: key.label, budget: null }
      const wanted = { ...kept, ...limits, expiresAt: expiresAt === undefined ? key.expiresAt : expiresAt }
      const { command, raw } = minting(context, { ...wanted, rotatedFrom: id })
      // A new key that is not valid must not leave a rotation behind.
      decide(command, apiKeyDecider.initialState())
      const rotation = { type: 'RotateApiKey', keyId: id, siblingKeyId: command.keyId, at: command.at } as const
      await send(context, apiKeyDecider, streamName('apiKey', id), rotation)
      return mint(context, command, raw).catch((error: unknown) => {
        throw new PartlyDone(
          'the old key stays valid; if a new one appears, revoke it, because its secret is lost',
          error,
        )
      })
    },

    updateApiKey: async (_source, { id, input }, context) => {
      const key = await requireVisibleKey(context, id)
      const changes = changesIn(input)
      if (changes.budget !== undefined && onlyKeysOf(context)) await requireNoRaise(context, key, changes.budget)
      const command = { type: 'UpdateApiKey', keyId: id, changes, at: nowOf(context) } as const
      const stream = streamName('apiKey', id)
      const { position } = await send(context, apiKeyDecider, stream, command)
      await recordChange(context, key.companyId, 'apiKey', position)
      return shownChanged(context, await changed(context, apiKeysModel, stream, position))
    },

    revokeApiKey: async (_source, { id }, context) => {
      await requireVisibleKey(context, id)
      const at = nowOf(context)
      const command = { type: 'RevokeApiKey', keyId: id, at } as const
      return shownChanged(
        context,
        await change(context, apiKeysModel, apiKeyDecider, streamName('apiKey', id), command),
      )
    },
  },
}

type Wanted = Omit<MintApiKey, 'type' | 'keyId' | 'hash' | 'hint' | 'mintedBy' | 'at'>

function minting(context: GraphqlContext, wanted: Wanted): { command: MintApiKey; raw: string } {
  const { secrets, clock, ids } = context.runtime
  const { raw, hash, hint } = new KeyStamp(secrets.internalToken).mint(clock.now())
  const keyId = ids.uuid()
  const mintedBy = requireUser(context).userId
  return { command: { type: 'MintApiKey', keyId, ...wanted, hash, hint, mintedBy, at: nowOf(context) }, raw }
}

/** null leaves a setting unchanged unless it has its own null. */
function changesIn(input: UpdateApiKeyInput): Partial<KeySettings> {
  const { name, scopes, models, rpm, tpm, expiresAt, label, budget } = input
  return {
    ...(name != null && { name }),
    ...(scopes != null && { scopes: requireScopes(scopes) }),
    ...(models !== undefined && { models }),
    ...(rpm != null && { rpm }),
    ...(tpm != null && { tpm }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(label !== undefined && { label }),
    ...(budget !== undefined && { budget: budget && budgetIn(budget) }),
  }
}

/** The shortest decimal of the number is what the caller wrote; more than six places are refused. */
function budgetIn({ credits, period }: KeyBudgetInput): NonNullable<KeySettings['budget']> {
  return { amountMicros: creditsOf(credits), period }
}

async function mint(context: GraphqlContext, command: MintApiKey, raw: string): Promise<ApiKeySecret> {
  const stream = streamName('apiKey', command.keyId)
  const row = await change(context, apiKeysModel, apiKeyDecider, stream, command)
  return { apiKey: await shownChanged(context, row), secret: raw }
}

/** A developer may give a key a budget and lower it. */
async function requireNoRaise(context: GraphqlContext, key: ApiKeyRow, wanted: KeySettings['budget']): Promise<void> {
  const last = lastSet(await familyOf(context.runtime.engines.database, key.keyId))
  const present = last ? budgetOf(last) : null
  if (!present) return
  if (wanted?.period === present.period && wanted.amountMicros <= BigInt(present.amountMicros)) return
  throw apiError('FORBIDDEN', 'a developer can lower the budget of a key, but not raise, replace or remove it')
}

function requireScopes(scopes: readonly string[]): Scope[] {
  const stranger = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (stranger === undefined) return scopes as Scope[]
  throw apiError(
    'BAD_USER_INPUT',
    `scopes: ${JSON.stringify(stranger.slice(0, 100))} is not one of ${SCOPES.join(', ')}`,
  )
}
