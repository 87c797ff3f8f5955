import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BEGINNING } from '../../../../../contracts/position.ts'
import type { Role } from '../../../../../contracts/roles.ts'
import { streamName } from '../../../../../contracts/streams.ts'
import { companyDecider } from '../../../../../domain/company/decider.ts'
import { isoTime } from '../../../../../platform/clock/clock.ts'
import { hashLinkToken, linkToken } from '../../../../../platform/secrets/linkTokens.ts'
import {
  type BackendHarness,
  type Person,
  startBackendHarness,
} from '../../../../../test/support/harness/backendHarness.ts'
import { steppedClock } from '../../../../../test/support/time/steppedClock.ts'
import { until } from '../../../../../test/support/time/until.ts'
import { INVITATION_DAYS, INVITATIONS_PER_MINUTE_MAX } from './invitations.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12))
const DAY_MS = 24 * 60 * 60 * 1_000
const NEW_PASSWORD = 'a password of my own'
let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
})
afterAll(() => backend.close())
// Log-ins and accepted links are limited per minute.
beforeEach(() => clock.advance(60_000))

type Company = { readonly companyId: string; readonly owner: Person }

let companies = 0
const newCompany = async (): Promise<Company> => {
  const companyId = await backend.registerCompany()
  return { companyId, owner: await backend.register(`owner@c${++companies}.example`, companyId) }
}
const invite = (email: string, role: Role, { token }: Pick<Person, 'token'>) =>
  backend.ask(
    'mutation ($email: String!, $role: Role!) { inviteUser(email: $email, role: $role) { id email role expired } }',
    { email, role },
    token,
  )
/** Invites, and returns the token that is in the mail. */
const invited = async (email: string, role: Role, { companyId, owner }: Company) => {
  const { data, errors } = await invite(email, role, owner)
  expect(errors).toBeUndefined()
  return { id: data.inviteUser.id as string, token: tokenOf(companyId, data.inviteUser.id) }
}
const tokenOf = (companyId: string, linkId: string) =>
  linkToken(backend.runtime.secrets.jwtSecret, { kind: 'invitation', ownerId: companyId, linkId })
const accept = (token: string, password = NEW_PASSWORD) =>
  backend.ask(
    'mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { token } }',
    { token, password },
  )
const accepted = async (token: string) => {
  const { data, errors } = await accept(token)
  expect(errors).toBeUndefined()
  return data.acceptInvitation.token as string
}
const login = (email: string, password = NEW_PASSWORD) =>
  backend.ask('mutation ($e: String!, $p: String!) { login(email: $e, password: $p) { token } }', {
    e: email,
    p: password,
  })
const whoAmI = async (token: string) => (await backend.ask('{ whoAmI { id email role } }', {}, token)).data?.whoAmI
/** Mutations wait for the read models two seconds at most, so a slow machine may show their results later. */
const signedIn = (token: string) => until('the user is shown', () => whoAmI(token))
const isOut = async (token: string) => (await whoAmI(token)) === undefined
const usersOf = async ({ owner }: Company) =>
  (await backend.ask('{ users { id email role } }', {}, owner.token)).data.users as { id: string; email: string }[]
const invitationsOf = async ({ owner }: Pick<Company, 'owner'>): Promise<{ id: string }[]> =>
  (await backend.ask('{ invitations { id email role expired } }', {}, owner.token)).data.invitations
/** Resolves with the open invitations once they are these. */
const openOnes = ({ owner }: Company, ...ids: string[]) =>
  until(`these are open: ${ids}`, async () => {
    const open = await invitationsOf({ owner })
    return isDeepStrictEqual(
      open.map(({ id }) => id),
      ids,
    )
      ? open
      : null
  })
const remove = (userId: string, { owner }: Company) =>
  backend.ask(`mutation { removeUser(userId: "${userId}") }`, {}, owner.token)

describe('an invitation', () => {
  test('makes its recipient a user with the role and their own password, once', async () => {
    const company = await newCompany()
    const { id, token } = await invited(' Eve@New.example ', 'BILLING', company)
    expect(await openOnes(company, id)).toEqual([{ id, email: 'eve@new.example', role: 'BILLING', expired: false }])
    const access = await accepted(` ${token}\n`)
    expect(await signedIn(access)).toMatchObject({ email: 'eve@new.example', role: 'BILLING' })
    expect((await login('eve@new.example')).code).toBeUndefined()
    await until('there are two users', async () => (await usersOf(company)).length === 2)
    await openOnes(company)
    const again = await accept(token, 'another password')
    expect(again.code).toBe('BAD_USER_INPUT')
    expect(again.errors?.[0].message).toMatch(/not valid/)
    expect((await login('eve@new.example', 'another password')).code).toBe('UNAUTHENTICATED')
  })

  test('leaves neither its token nor an address that can be read', async () => {
    const company = await newCompany()
    const { token } = await invited('secret@new.example', 'DEVELOPER', company)
    await accepted(token)
    const { events } = await backend.runtime.engines.store.readAll({
      after: BEGINNING,
      categories: ['company', 'user'],
      limit: 1_000,
    })
    expect(JSON.stringify(events)).toContain(hashLinkToken(token))
    expect(JSON.stringify(events)).not.toContain(token.slice(-43))
    expect(JSON.stringify(events)).not.toContain('secret@new.example')
    const sealed = events.flatMap(({ type, data }) => (type === 'UserInvited' ? [data] : [])).at(-1)
    expect(await backend.runtime.engines.personal.reveal(sealed?.email ?? '')).toBe('[erased]')
  })

  test('ends after seven days, and a newer one to the same address ends it at once', async () => {
    const company = await newCompany()
    const late = await invited('late@new.example', 'AUDITOR', company)
    clock.advance(INVITATION_DAYS * DAY_MS)
    expect((await accept(late.token)).errors?.[0].message).toMatch(/not valid/)
    const renewed = { ...company, owner: { ...company.owner, token: await backend.tokenOf(company.owner) } }
    expect(await openOnes(renewed, late.id)).toMatchObject([{ expired: true }])
    const first = await invited('late@new.example', 'AUDITOR', renewed)
    const second = await invited('LATE@new.example', 'DEVELOPER', renewed)
    await openOnes(renewed, second.id)
    expect((await accept(first.token)).code).toBe('BAD_USER_INPUT')
    expect(await signedIn(await accepted(second.token))).toMatchObject({ role: 'DEVELOPER' })
  })

  test('can be withdrawn', async () => {
    const company = await newCompany()
    const { id, token } = await invited('unwanted@new.example', 'ADMIN', company)
    const withdraw = () => backend.ask(`mutation { withdrawInvitation(id: "${id}") }`, {}, company.owner.token)
    expect((await withdraw()).data).toEqual({ withdrawInvitation: true })
    expect((await withdraw()).code).toBe('NOT_FOUND')
    await openOnes(company)
    expect((await accept(token)).code).toBe('BAD_USER_INPUT')
  })

  test('to become an owner can be sent by owners only, and ends if its sender is removed', async () => {
    const company = await newCompany()
    // The first user of a company is its owner.
    clock.advance(1)
    const admin = await backend.register(`admin@c${companies}.example`, company.companyId)
    expect((await invite('boss@new.example', 'OWNER', admin)).errors?.[0].message).toMatch(/only an owner/)
    const back = await invite('back@new.example', 'ADMIN', admin)
    expect(back.code).toBeUndefined()
    expect((await remove(admin.userId, company)).code).toBeUndefined()
    expect((await accept(tokenOf(company.companyId, back.data.inviteUser.id))).code).toBe('BAD_USER_INPUT')
    expect(await signedIn(await accepted((await invited('boss@new.example', 'OWNER', company)).token))).toMatchObject({
      role: 'OWNER',
    })
  })

  test('to a user of the company, with a bad address or password is BAD_USER_INPUT', async () => {
    const company = await newCompany()
    expect((await invite(company.owner.email, 'ADMIN', company.owner)).errors?.[0].message).toMatch(/setRole/)
    for (const email of ['nobody', 'a@b.example,c@d.example', 'a<b@c.example>']) {
      expect((await invite(email, 'ADMIN', company.owner)).code).toBe('BAD_USER_INPUT')
    }
    const { token } = await invited('short@new.example', 'ADMIN', company)
    expect((await accept(token, 'short')).errors?.[0].message).toMatch(/characters/)
    for (const text of ['', 'x', token.slice(0, -1), tokenOf(company.companyId, randomUUID()), `${token}x`]) {
      expect((await accept(text)).code).toBe('BAD_USER_INPUT')
    }
    await accepted(token)
  })

  test('is limited per company and minute', async () => {
    const company = await newCompany()
    const { rateLimits } = backend.runtime.engines.sharedState
    await rateLimits.add(`invitations:${company.companyId}`, INVITATIONS_PER_MINUTE_MAX)
    expect((await invite('many@new.example', 'ADMIN', company.owner)).code).toBe('RATE_LIMITED')
    clock.advance(60_000)
    expect((await invite('many@new.example', 'ADMIN', company.owner)).code).toBeUndefined()
  })
})

describe('an address that has an account', () => {
  test('in another company is refused, until its user is removed there', async () => {
    const [first, second] = [await newCompany(), await newCompany()]
    const old = await accepted((await invited('mover@new.example', 'ADMIN', first)).token)
    const { token } = await invited('mover@new.example', 'BILLING', second)
    const refused = await accept(token)
    expect(refused.code).toBe('BAD_USER_INPUT')
    expect(refused.errors?.[0].message).toMatch(/account in another company/)
    const userId = (await signedIn(old)).id
    await remove(userId, first)
    const access = await accepted(token)
    expect(await signedIn(access)).toEqual({ id: userId, email: 'mover@new.example', role: 'BILLING' })
    const has = async (company: Company) => (await usersOf(company)).some(({ id }) => id === userId)
    await until('they are in the second company', () => has(second))
    await until('they are not in the first one', async () => !(await has(first)))
    await until('the old token is refused', () => isOut(old))
  })

  test('of a removed user comes back to the same company, with a new password', async () => {
    const company = await newCompany()
    const old = await accepted((await invited('again@new.example', 'ADMIN', company)).token)
    const userId = (await signedIn(old)).id
    await remove(userId, company)
    await until('they are signed out', () => isOut(old))
    expect((await login('again@new.example')).code).toBe('UNAUTHENTICATED')
    const { token } = await invited('again@new.example', 'DEVELOPER', company)
    const { data } = await accept(token, 'a second password')
    expect(await signedIn(data.acceptInvitation.token)).toMatchObject({ id: userId, role: 'DEVELOPER' })
    expect((await login('again@new.example')).code).toBe('UNAUTHENTICATED')
    expect((await login('again@new.example', 'a second password')).code).toBeUndefined()
  })

  test('of a super admin is refused', async () => {
    const company = await newCompany()
    const { token } = await invited(backend.superAdmin.email, 'AUDITOR', company)
    expect((await accept(token)).code).toBe('BAD_USER_INPUT')
    expect(await signedIn(await backend.tokenOf(backend.superAdmin))).toMatchObject({ email: backend.superAdmin.email })
  })

  test('of an erased person keeps no open invitation', async () => {
    const company = await newCompany()
    const old = await accepted((await invited('erased@new.example', 'ADMIN', company)).token)
    const userId = (await signedIn(old)).id
    await remove(userId, company)
    await until('they are signed out', () => isOut(old))
    const { token } = await invited('erased@new.example', 'ADMIN', company)
    expect(
      (await backend.ask(`mutation { eraseUser(id: "${userId}") }`, {}, await backend.tokenOf(backend.superAdmin)))
        .code,
    ).toBeUndefined()
    await openOnes(company)
    expect((await accept(token)).code).toBe('BAD_USER_INPUT')
    const fresh = await signedIn(await accepted((await invited('erased@new.example', 'AUDITOR', company)).token))
    expect(fresh?.id).not.toBe(userId)
    expect(fresh?.role).toBe('AUDITOR')
  })
})

describe('a link that is used several times at once', () => {
  test('is accepted once', async () => {
    const company = await newCompany()
    const { token } = await invited('eager@new.example', 'BILLING', company)
    const passwords = ['the first password', 'the second password', 'the third password']
    const replies = await Promise.all(passwords.map((password) => accept(token, password)))
    expect(replies.filter(({ code }) => code === undefined)).toHaveLength(1)
    const logins = await Promise.all(passwords.map((password) => login('eager@new.example', password)))
    const winner = replies.findIndex(({ code }) => code === undefined)
    expect(logins.map(({ code }) => code === undefined)).toEqual(passwords.map((_, n) => n === winner))
    await until('there are two users', async () => (await usersOf(company)).length === 2)
  })

  test('by two companies makes the person a user of one', async () => {
    const both = [await newCompany(), await newCompany()]
    const links = await Promise.all(both.map((company) => invited('torn@new.example', 'OWNER', company)))
    const replies = await Promise.all(links.map(({ token }) => accept(token)))
    expect(replies.filter(({ code }) => code === undefined)).toHaveLength(1)
    const owners = await Promise.all(
      both.map(async ({ companyId }) => {
        const state = await backend.runtime.engines.commands.stateOf(companyDecider, streamName('company', companyId))
        return Object.values((state.status === 'registered' && state.members) || {}).filter((role) => role === 'OWNER')
      }),
    )
    expect(owners.map((list) => list.length).sort()).toEqual([1, 2])
  })

  test('continues after a crash between the role and the registration, and only then', async () => {
    const company = await newCompany()
    const { token } = await invited('cut@new.example', 'BILLING', company)
    const { engines } = backend.runtime
    const { companyId } = company
    const lookup = await engines.personal.lookupOf('cut@new.example')
    const { newUserId } = await import('../../../../../capabilities/commands/newUserId.ts')
    const userId = await newUserId(engines.store, lookup)
    const command = { companyId, tokenHash: hashLinkToken(token), userId, at: isoTime(clock.now()) }
    await engines.commands.handle(
      companyDecider,
      streamName('company', companyId),
      { type: 'AcceptInvitation', ...command },
      { commandId: randomUUID(), correlationId: 'test', actor: { kind: 'system', name: 'test' } },
    )
    expect(await signedIn(await accepted(token))).toMatchObject({ id: userId, role: 'BILLING' })
    expect((await accept(token)).code).toBe('BAD_USER_INPUT')
  })
})
