import {
  type DeliveryRow,
  deliveriesOf,
  deliveryById,
  resendDelivery,
} from '../../../../../capabilities/webhooks/deliveryTable.ts'
import { requireEndpointUrl, webhookRules } from '../../../../../capabilities/webhooks/endpointUrl.ts'
import { webhookSecretsOf } from '../../../../../capabilities/webhooks/webhookSecrets.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { companyDecider } from '../../../../../domain/company/decider.ts'
import type { WebhookEndpoint as EndpointState } from '../../../../../domain/company/webhookEndpoints.ts'
import { Refusal } from '../../../../../domain/decider.ts'
import { requireCompany } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import { type GraphqlContext, nowOf, send } from '../../context.ts'
import type { Resolvers, WebhookDelivery, WebhookEndpoint } from '../../generated.ts'
import { requireId } from '../../ids.ts'

const DELIVERIES_SHOWN_MAX = 1_000

export const webhookEndpoints: Resolvers = {
  Query: {
    webhookEndpoints: async (_source, _args, context) => {
      const endpoints = await endpointsOf(context, requireCompany(context))
      return Object.entries(endpoints).map(([id, endpoint]) => shownEndpoint(id, endpoint))
    },

    webhookDeliveries: async (_source, { endpointId }, context) => {
      await requireEndpoint(context, endpointId)
      const rows = await deliveriesOf(context.runtime.engines.database, endpointId, DELIVERIES_SHOWN_MAX)
      return rows.map(shownDelivery)
    },
  },

  Mutation: {
    createWebhookEndpoint: async (_source, { url: wanted, types }, context) => {
      const { config, secrets, ids } = context.runtime
      const companyId = requireCompany(context)
      const endpointId = ids.uuid()
      const url = requireEndpointUrl(wanted, webhookRules(config))
      const { secret, sealed: sealedSecret } = webhookSecretsOf(config, secrets).mint(endpointId)
      const at = nowOf(context)
      const command = { type: 'CreateWebhookEndpoint', companyId, endpointId, url, types, sealedSecret, at } as const
      await send(context, companyDecider, streamName('company', companyId), command)
      return { endpoint: shownEndpoint(endpointId, await requireEndpoint(context, endpointId)), secret }
    },

    deleteWebhookEndpoint: async (_source, { id }, context) => {
      const companyId = requireCompany(context)
      const endpointId = requireId(id, 'webhook endpoint')
      const command = { type: 'DeleteWebhookEndpoint', companyId, endpointId, at: nowOf(context) } as const
      await send(context, companyDecider, streamName('company', companyId), command)
      return true
    },

    resendDelivery: async (_source, { id }, context) => {
      const { database } = context.runtime.engines
      const companyId = requireCompany(context)
      const known = await deliveryById(database, requireId(id, 'delivery'))
      const endpoint = known && (await endpointsOf(context, companyId))[known.endpointId]
      if (!known || !endpoint || known.companyId !== companyId) throw notFound('delivery', id)
      if (endpoint.disabled) {
        throw new Refusal('CONFLICT', 'the endpoint is disabled, because its receiver answered 410: create a new one')
      }
      const row = await database.transaction((sql) => resendDelivery(sql, id, nowOf(context)))
      if (!row) throw notFound('delivery', id)
      return shownDelivery(row)
    },
  },
}

/** Reads the company's stream, which is short, so a change is visible at once. */
async function endpointsOf({ runtime }: GraphqlContext, companyId: string) {
  const company = await runtime.engines.commands.stateOf(companyDecider, streamName('company', companyId))
  return (company.status === 'registered' && company.webhookEndpoints) || {}
}

async function requireEndpoint(context: GraphqlContext, id: string): Promise<EndpointState> {
  const endpoint = (await endpointsOf(context, requireCompany(context)))[requireId(id, 'webhook endpoint')]
  if (!endpoint) throw notFound('webhook endpoint', id)
  return endpoint
}

function shownEndpoint(id: string, { url, types, createdAt, disabled }: EndpointState): WebhookEndpoint {
  const disabling = { disabledAt: disabled?.at ?? null, disabledReason: disabled?.reason ?? null }
  return { id, url, types: [...types], createdAt, ...disabling }
}

function shownDelivery(row: DeliveryRow): WebhookDelivery {
  const { deliveryId: id, messageId, type, state, attempts, lastStatus, lastError, lastAttemptAt, nextAttemptAt } = row
  return {
    ...{ id, messageId, type, number: Number(row.number), state, attempts },
    ...{ lastStatus, lastError, lastAttemptAt, nextAttemptAt, createdAt: row.queuedAt },
  }
}
