import { beforeEach, expect, test, vi } from 'vitest'
import type { Runtime } from '../../../../capabilities/installation.ts'
import { hashPassword, verifyPassword } from '../../../../platform/secrets/passwords.ts'
import { memorySharedState } from '../../../../platform/sharedState/memorySharedState.ts'
import { ManualClock } from '../../../../test/support/time/manualClock.ts'
import { FREE_FAILURES } from './loginDelays.ts'
import { LOGINS_PER_ADDRESS_MAX, Logins, PASSWORD_HASHES_MAX } from './logins.ts'

/** Spies on the real functions. */
vi.mock('../../../../platform/secrets/passwords.ts', async (original) => {
  const passwords = await original<typeof import('../../../../platform/secrets/passwords.ts')>()
  return { hashPassword: vi.fn(passwords.hashPassword), verifyPassword: vi.fn(passwords.verifyPassword) }
})

const NETWORK = '203.0.113.7'
const clock = new ManualClock()
const newLogins = () => new Logins({ clock, engines: { sharedState: memorySharedState(clock) } } as unknown as Runtime)
beforeEach(() => vi.clearAllMocks())

const costOf = (stored: string) => stored.split('$', 3).join('$')

test('an unknown user costs the same work as a wrong password and is never accepted', async () => {
  const logins = newLogins()
  const stored = await hashPassword('right one')
  expect(await logins.isRight('wrong one', stored, NETWORK)).toBe(false)
  expect(await logins.isRight('wrong one', null, NETWORK)).toBe(false)
  const [known, unknown] = vi.mocked(verifyPassword).mock.calls
  expect(known?.[0]).toBe(unknown?.[0])
  expect(costOf(unknown?.[1] ?? '')).toBe(costOf(stored))
})

test('networks share PASSWORD_HASHES_MAX checks at a time; more are RATE_LIMITED, until those before them end', async () => {
  const logins = newLogins()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  vi.mocked(verifyPassword).mockImplementation(() => promise)
  const check = (network: string) => logins.isRight('x', '$scrypt$', network)
  const under = Array.from({ length: PASSWORD_HASHES_MAX / 2 }, () => check(NETWORK))
  await expect(check(NETWORK)).rejects.toMatchObject({ extensions: { code: 'RATE_LIMITED' } })
  const another = check('198.51.100.1')
  resolve(true)
  expect(await Promise.all([...under, another])).toEqual([...under, another].map(() => true))
  expect(await check(NETWORK)).toBe(true)
})

test('addresses of one IPv6 network count together, in attempts and in delays', async () => {
  vi.mocked(verifyPassword).mockResolvedValue(false)
  const logins = newLogins()
  const attempts = Array.from({ length: FREE_FAILURES }, (_, n) =>
    logins.attempt(`2001:db8::${n}`, 'a', 'x', '$scrypt$'),
  )
  expect(await Promise.all(attempts)).toEqual(attempts.map(() => false))
  const refused = { extensions: { code: 'RATE_LIMITED' } }
  await expect(logins.attempt('2001:db8::ffff', 'a', 'x', '$scrypt$')).rejects.toMatchObject(refused)
  expect(await logins.attempt('2001:db8:0:1::1', 'a', 'x', '$scrypt$')).toBe(false)
  for (let n = FREE_FAILURES + 1; n < LOGINS_PER_ADDRESS_MAX; n++) await logins.admit(`2001:db8::${n}`)
  await expect(logins.admit('2001:db8::fffe')).rejects.toMatchObject(refused)
})
