import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { newDemoIdentity } from './demoFile.ts'
import { tokenVersionsOf } from './demoUsers.ts'

test('the version of a token counts password changes and sign-outs, as the read model of users does', async () => {
  const demo = newDemoIdentity({ adminId: randomUUID(), superAdminId: randomUUID() })
  const types = ['UserRegistered', 'PasswordChanged', 'PasswordResetRequested', 'SignedOutEverywhere', 'UserJoined']
  async function* readStream(stream: string) {
    if (stream.endsWith(demo.adminId)) for (const type of types) yield { type, data: { at: AT } }
  }
  const store = { readStream } as unknown as Parameters<typeof tokenVersionsOf>[0]
  expect(await tokenVersionsOf(store, demo)).toEqual(
    new Map([
      [demo.adminId, 3],
      [demo.superAdminId, 0],
    ]),
  )
})
