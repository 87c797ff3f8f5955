import { beforeEach, expect, test, vi } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import type { Runtime } from '../../platform/runtime.ts'
import { hashPassword, verifyPassword } from '../../platform/secrets/passwords.ts'
import { memorySharedState } from '../../platform/sharedState/memorySharedState.ts'
import { Logins, PASSWORD_HASHES_MAX } from './logins.ts'

/** The real functions, as spies. */
vi.mock('../../platform/secrets/passwords.ts', async (original) => {
  const passwords = await original<typeof import('../../platform/secrets/passwords.ts')>()
  return { hashPassword: vi.fn(passwords.hashPassword), verifyPassword: vi.fn(passwords.verifyPassword) }
})

const clock = new ManualClock()
const newLogins = () => new Logins({ clock, engines: { sharedState: memorySharedState(clock) } } as unknown as Runtime)
beforeEach(() => vi.clearAllMocks())

const costOf = (stored: string) => stored.split('$', 3).join('$')

test('an unknown user costs the same work as a wrong password and is never accepted', async () => {
  const logins = newLogins()
  const stored = await hashPassword('right one')
  expect(await logins.isRight('wrong one', stored)).toBe(false)
  expect(await logins.isRight('wrong one', null)).toBe(false)
  const [known, unknown] = vi.mocked(verifyPassword).mock.calls
  expect(known?.[0]).toBe(unknown?.[0])
  expect(costOf(unknown?.[1] ?? '')).toBe(costOf(stored))
})

test('more than PASSWORD_HASHES_MAX checks at a time are RATE_LIMITED, until those before them end', async () => {
  const logins = newLogins()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  vi.mocked(verifyPassword).mockImplementation(() => promise)
  const under = Array.from({ length: PASSWORD_HASHES_MAX }, () => logins.isRight('x', '$scrypt$'))
  await expect(logins.isRight('x', '$scrypt$')).rejects.toMatchObject({ extensions: { code: 'RATE_LIMITED' } })
  resolve(true)
  expect(await Promise.all(under)).toEqual(under.map(() => true))
  expect(await logins.isRight('x', '$scrypt$')).toBe(true)
})
