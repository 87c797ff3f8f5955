import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BackendHarness, startBackendHarness } from '../../../test/support/backendHarness.ts'

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness()
})
afterAll(() => backend.close())

test('who signed in is told who they are', async () => {
  const { admin, superAdmin, ask } = backend
  const query = '{ whoAmI { id email isSuperAdmin } }'
  expect((await ask(query, {}, admin.token)).data).toEqual({
    whoAmI: { id: admin.userId, email: 'admin@first.example', isSuperAdmin: false },
  })
  expect((await ask(query, {}, superAdmin.token)).data.whoAmI.isSuperAdmin).toBe(true)
  expect((await ask(query)).code).toBe('UNAUTHENTICATED')
})
