import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../../../contracts/scopes.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { apiKeyDecider, decide, type KeySettings, type MintApiKey } from '../../../../../domain/apiKey/decider.ts'
import { KeyStamp } from '../../../../../platform/secrets/keyStamp.ts'
import { apiKeys as apiKeysModel } from '../../../../../projections/apiKeys/projection.ts'
import { apiKeysOf, keyIdsSeenBy } from '../../../../../projections/apiKeys/queries.ts'
import { requireCompany, requireUser } from '../../access/access.ts'
import { budgetOfMinting, requireChangeable, requireRotatable } from '../../access/rightsOfDeveloper.ts'
import { onlySeenBy, requireChangeableKey } from '../../access/visibleKeys.ts'
import { requireOpenProject } from '../../access/visibleProjects.ts'
import { apiError } from '../../apiError.ts'
import { budgetFrom } from '../../budgets/budgetAmounts.ts'
import { change, changed, type GraphqlContext, nowOf, recordChange, send } from '../../context.ts'
import type { ApiKeySecret, Resolvers, UpdateApiKeyInput } from '../../generated.ts'
import { PartlyDone } from '../../maskError.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'
import { shownChanged, shownKeys } from '../../shownKeys.ts'

export const apiKeys: Resolvers = {
  Query: {
    apiKeys: async (_source, _args, context) => {
      const companyId = requireCompany(context)
      const rows = await apiKeysOf(context.runtime.engines.database, companyId, LIST_ROWS_MAX)
      const shown = await shownKeys(context, companyId, rows)
      const developer = onlySeenBy(context)
      if (developer === null) return shown
      const seen = await keyIdsSeenBy(context.runtime.engines.database, companyId, developer)
      return shown.filter(({ id }) => seen.has(id))
    },
  },

  Mutation: {
    mintApiKey: async (_source, { input }, context) => {
      const { DEFAULT_KEY_RPM, DEFAULT_KEY_TPM } = context.runtime.config
      const projectId = input.projectId ?? null
      if (projectId !== null) await requireOpenProject(context, projectId)
      const named = input.budget ? budgetFrom(input.budget) : null
      const { command, raw } = minting(context, {
        companyId: requireCompany(context),
        name: input.name,
        scopes: input.scopes ? requireScopes(input.scopes) : DEFAULT_SCOPES,
        models: input.models ?? null,
        rpm: input.rpm ?? DEFAULT_KEY_RPM,
        tpm: input.tpm ?? DEFAULT_KEY_TPM,
        expiresAt: input.expiresAt ?? null,
        label: input.label ?? null,
        budget: await budgetOfMinting(context, { budget: named, projectId }),
        projectId,
        labelFixed: input.labelFixed ?? false,
        callsInFlight: input.callsInFlight ?? null,
        networks: input.networks ?? null,
        rotatedFrom: null,
      })
      return mint(context, command, raw)
    },

    // The old key's stream records the rotation first, because only it knows whether that key is live.
    rotateApiKey: async (_source, { id, expiresAt }, context) => {
      const key = await requireChangeableKey(context, id)
      if (key.projectId !== null) await requireOpenProject(context, key.projectId)
      await requireRotatable(context, key)
      const { companyId, name, scopes, models } = key
      const kept = { companyId, name, scopes: scopes as readonly Scope[], models }
      // The budget stays with the first key of the rotation, and all of them share it.
      const limits = { rpm: Number(key.rpm), tpm: Number(key.tpm), label: key.label, budget: null }
      const { projectId, labelFixed, networks } = key
      const callsInFlight = key.callsInFlight === null ? null : Number(key.callsInFlight)
      const restrictions = { projectId, labelFixed, callsInFlight, networks }
      const wanted = {
        ...kept,
        ...limits,
        ...restrictions,
        expiresAt: expiresAt === undefined ? key.expiresAt : expiresAt,
      }
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
      const key = await requireChangeableKey(context, id)
      const changes = changesIn(input)
      const { projectId } = changes
      if (projectId != null && projectId !== key.projectId) await requireOpenProject(context, projectId)
      await requireChangeable(context, key, changes)
      const command = { type: 'UpdateApiKey', keyId: id, changes, at: nowOf(context) } as const
      const stream = streamName('apiKey', id)
      const { position } = await send(context, apiKeyDecider, stream, command)
      await recordChange(context, key.companyId, 'apiKey', position)
      return shownChanged(context, await changed(context, apiKeysModel, stream, position))
    },

    revokeApiKey: async (_source, { id }, context) => {
      await requireChangeableKey(context, id)
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
  const { projectId, labelFixed, callsInFlight, networks } = input
  return {
    ...(name != null && { name }),
    ...(scopes != null && { scopes: requireScopes(scopes) }),
    ...(models !== undefined && { models }),
    ...(rpm != null && { rpm }),
    ...(tpm != null && { tpm }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(label !== undefined && { label }),
    ...(budget !== undefined && { budget: budget && budgetFrom(budget) }),
    ...(projectId !== undefined && { projectId }),
    ...(labelFixed != null && { labelFixed }),
    ...(callsInFlight !== undefined && { callsInFlight }),
    ...(networks !== undefined && { networks }),
  }
}

async function mint(context: GraphqlContext, command: MintApiKey, raw: string): Promise<ApiKeySecret> {
  const stream = streamName('apiKey', command.keyId)
  const row = await change(context, apiKeysModel, apiKeyDecider, stream, command)
  return { apiKey: await shownChanged(context, row), secret: raw }
}

function requireScopes(scopes: readonly string[]): Scope[] {
  const stranger = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (stranger === undefined) return scopes as Scope[]
  throw apiError(
    'BAD_USER_INPUT',
    `scopes: ${JSON.stringify(stranger.slice(0, 100))} is not one of ${SCOPES.join(', ')}`,
  )
}
