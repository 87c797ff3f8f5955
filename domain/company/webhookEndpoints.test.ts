import { describe, expect, test } from 'vitest'
import type { CompanyEvent } from '../../contracts/events/company.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { registered, webhookEndpointCreated } from '../../test/support/events/controlEvents.ts'
import { fold } from '../decider.ts'
import { type CompanyCommand, companyDecider } from './decider.ts'
import { WEBHOOK_ENDPOINTS_MAX, WEBHOOK_URL_CHARS_MAX } from './webhookEndpoints.ts'

const given = specificationOf(companyDecider)

const idOf = (n: number) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`
const companyId = idOf(0)
const at = '2026-03-01T10:00:00.000Z'
const company = registered(companyId, 'Acme')
const created = (n: number) => webhookEndpointCreated(companyId, idOf(n), { createdAt: at })
const disabled: CompanyEvent = {
  type: 'WebhookEndpointDisabled',
  data: { companyId, endpointId: idOf(1), reason: 'gone', disabledAt: at },
}
const deleted: CompanyEvent = {
  type: 'WebhookEndpointDeleted',
  data: { companyId, endpointId: idOf(1), deletedAt: at },
}
const create = (changes = {}): CompanyCommand => {
  const wanted = { url: 'https://hooks.example/', types: ['balance.low'], sealedSecret: '1.c2VhbGVk' }
  return { type: 'CreateWebhookEndpoint', companyId, endpointId: idOf(1), ...wanted, at, ...changes }
}
const disable: CompanyCommand = {
  ...{ type: 'DisableWebhookEndpoint', companyId, endpointId: idOf(1), reason: 'gone', at },
}
const remove: CompanyCommand = { type: 'DeleteWebhookEndpoint', companyId, endpointId: idOf(1), at }

describe('creating a webhook endpoint', () => {
  test('records its address, its types without repetitions, and the sealed secret', () => {
    given(company)
      .when(create({ types: ['balance.low', 'balance.low'] }))
      .then(created(1))
  })

  test('of an unknown company is refused', () => {
    given().when(create()).thenThrows('NOT_FOUND')
  })

  test('without types, with an unknown type or with a url that is too long is refused', () => {
    given(company)
      .when(create({ types: [] }))
      .thenThrows('INVALID', /at least one/)
    given(company)
      .when(create({ types: ['balance.high'] }))
      .thenThrows('INVALID', /"balance.high" is not one of/)
    const url = `https://hooks.example/${'a'.repeat(WEBHOOK_URL_CHARS_MAX)}`
    given(company)
      .when(create({ url }))
      .thenThrows('INVALID', /characters/)
  })

  test('is refused at the limit, until one is deleted', () => {
    const full = Array.from({ length: WEBHOOK_ENDPOINTS_MAX }, (_, n) => created(n + 1))
    const next = create({ endpointId: idOf(99) })
    given(company, ...full)
      .when(next)
      .thenThrows('CONFLICT', /at most 10/)
    given(company, ...full, deleted)
      .when(next)
      .then(created(99))
  })
})

describe('a webhook endpoint', () => {
  test('is disabled once, and keeps the reason', () => {
    given(company, created(1)).when(disable).then(disabled)
    given(company, created(1), disabled).when(disable).thenNothing()
    const state = fold(companyDecider, [company, created(1), disabled])
    expect(state).toMatchObject({ webhookEndpoints: { [idOf(1)]: { disabled: { at, reason: 'gone' } } } })
  })

  test('is deleted once, even after it was disabled', () => {
    given(company, created(1), disabled).when(remove).then(deleted)
    given(company, created(1), deleted).when(remove).thenThrows('NOT_FOUND')
    given(company, created(1), deleted).when(disable).thenNothing()
  })
})
