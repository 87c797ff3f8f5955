import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../../contracts/scopes.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { apiKeyDecider, decide, type KeySettings, type MintApiKey } from '../../../../domain/apiKey/decider.ts'
import { parseCredits } from '../../../../domain/credits.ts'
import { type ApiKeyRow, apiKeys as apiKeysModel } from '../../../../projections/apiKeys/projection.ts'
import { apiKeyOf, apiKeysOf } from '../../../../projections/apiKeys/queries.ts'
import { mintRawKey } from '../../../platform/secrets/rawKeys.ts'
import { requireCompany } from '../access.ts'
import { apiError, notFound } from '../apiError.ts'
import { change, type GraphqlContext, nowOf, send } from '../context.ts'
import type { ApiKeySecret, KeyBudgetInput, Resolvers, UpdateApiKeyInput } from '../generated.ts'
import { requireId } from '../ids.ts'
import { PartlyDone } from '../maskError.ts'
import { LIST_ROWS_MAX } from '../paging.ts'
import { shownChanged, shownKeys } from '../shownKeys.ts'

export const apiKeys: Resolvers = {
  Query: {
    apiKeys: async (_source, _args, context) => {
      const companyId = requireCompany(context)
      return shownKeys(context, companyId, await apiKeysOf(context.runtime.engines.database, companyId, LIST_ROWS_MAX))
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
      const key = await requireOwnKey(context, id)
      const { company_id: companyId, name, scopes, models } = key
      const kept = { companyId, name, scopes: scopes as readonly Scope[], models }
      // The budget stays with the first key of the rotation, and all of them share it.
      const limits = { rpm: Number(key.rpm), tpm: Number(key.tpm), label: key.label, budget: null }
      const wanted = { ...kept, ...limits, expiresAt: expiresAt === undefined ? key.expires_at : expiresAt }
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
      await requireOwnKey(context, id)
      const command = { type: 'UpdateApiKey', keyId: id, changes: changesIn(input), at: nowOf(context) } as const
      return shownChanged(
        context,
        await change(context, apiKeysModel, apiKeyDecider, streamName('apiKey', id), command),
      )
    },

    revokeApiKey: async (_source, { id }, context) => {
      await requireOwnKey(context, id)
      const at = nowOf(context)
      const command = { type: 'RevokeApiKey', keyId: id, at } as const
      return shownChanged(
        context,
        await change(context, apiKeysModel, apiKeyDecider, streamName('apiKey', id), command),
      )
    },
  },
}

type Wanted = Omit<MintApiKey, 'type' | 'keyId' | 'hash' | 'hint' | 'at'>

function minting(context: GraphqlContext, wanted: Wanted): { command: MintApiKey; raw: string } {
  const { raw, hash, hint } = mintRawKey()
  const keyId = context.runtime.ids.uuid()
  return { command: { type: 'MintApiKey', keyId, ...wanted, hash, hint, at: nowOf(context) }, raw }
}

/** A setting without a null of its own is left as it is by null, too. */
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
  return { amountMicros: parseCredits(String(credits)), period }
}

async function mint(context: GraphqlContext, command: MintApiKey, raw: string): Promise<ApiKeySecret> {
  const stream = streamName('apiKey', command.keyId)
  const row = await change(context, apiKeysModel, apiKeyDecider, stream, command)
  return { apiKey: await shownChanged(context, row), secret: raw }
}

async function requireOwnKey(context: GraphqlContext, id: string): Promise<ApiKeyRow> {
  const companyId = requireCompany(context)
  const key = await apiKeyOf(context.runtime.engines.database, companyId, requireId(id, 'key'))
  if (!key) throw notFound('key', id)
  return key
}

function requireScopes(scopes: readonly string[]): Scope[] {
  const stranger = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (stranger === undefined) return scopes as Scope[]
  throw apiError(
    'BAD_USER_INPUT',
    `scopes: ${JSON.stringify(stranger.slice(0, 100))} is not one of ${SCOPES.join(', ')}`,
  )
}
