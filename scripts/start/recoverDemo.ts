import type { Runtime } from '../../capabilities/installation.ts'
import { DEMO_ACTOR } from '../../contracts/demoActor.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { type UserCommand, userDecider } from '../../domain/user/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import { hashGeneratedPassword } from '../../platform/secrets/passwords.ts'
import { type DemoIdentity, isWhole, newDemoIdentity, type StoredDemo, writeDemoFile } from './demoFile.ts'
import { assignDemoRole, type DemoUser, mintDemoKey, registrationOf, seedAuditor } from './seedDemo.ts'

/** What the events say about a demo that was seeded before. A user who was not registered or was erased is missing. */
type SeededDemo = {
  readonly companyId: string
  readonly companyName: string
  adminId?: string
  superAdminId?: string
  auditorId?: string
  /** The key comes last. */
  isComplete: boolean
}

/**
 * Recovers the demo of a store whose demo.json was lost; null if it has none. Its users get new passwords and its
 * company gets a new key, because neither can be read from the events. The file is written last: if the start is killed
 * before that, the next one recovers again. Seeding completes an incomplete demo; an erased user is registered again.
 */
export async function recoverDemo(runtime: Runtime): Promise<DemoIdentity | null> {
  const { store } = runtime.engines
  if ((await store.head()) === BEGINNING) return null
  const seeded = await findSeededDemo(store)
  if (!seeded) return null
  const { isComplete, ...known } = seeded
  const demo = newDemoIdentity(known)
  for (const who of ['admin', 'superAdmin', 'auditor'] as const) {
    if (seeded[`${who}Id`]) await setPassword(runtime, demo, who)
    else if (isComplete && who === 'auditor') await seedAuditor(runtime, demo)
    else if (isComplete) {
      if (who === 'admin') await assignDemoRole(runtime, demo, who)
      await sendToUser(runtime, demo, await registrationOf(runtime, demo, who))
    }
  }
  if (isComplete) await mintDemoKey(runtime, demo)
  await writeDemoFile(runtime.config.DATA_DIR, demo)
  runtime.log.warn({ companyId: demo.companyId }, 'demo.json was missing: the demo users have new passwords')
  return demo
}

/**
 * Adds what the file of an earlier version lacks. If the auditor is already registered, because the earlier version was
 * started again in between, they get a new password.
 */
export async function completeDemo(runtime: Runtime, stored: StoredDemo): Promise<DemoIdentity> {
  if (isWhole(stored)) return stored
  const auditorId = (await findSeededDemo(runtime.engines.store))?.auditorId
  const known = Object.entries({ ...stored, auditorId }).filter(([, value]) => value !== undefined)
  const demo = newDemoIdentity(Object.fromEntries(known))
  if (auditorId !== undefined) await setPassword(runtime, demo, 'auditor')
  await writeDemoFile(runtime.config.DATA_DIR, demo)
  return demo
}

/** If there are several demos, the first one counts, as when its users sign in. */
async function findSeededDemo(store: TypedEventStore): Promise<SeededDemo | null> {
  let found: SeededDemo | null = null
  const auditors = new Set<string>()
  for (let after = BEGINNING; ; ) {
    const page = await store.readAll({ after, categories: ['company', 'user', 'apiKey'], limit: READ_PAGE_EVENTS_MAX })
    for (const event of page.events) {
      const { actor, correlationId } = event.metadata
      const isSeed = actor.kind === 'system' && actor.name === DEMO_ACTOR.name
      if (event.type === 'CompanyRegistered' && isSeed) {
        const { companyId, name } = event.data
        found ??= { companyId, companyName: name, isComplete: false }
      }
      if (!found) continue
      const isOfDemo = isSeed && correlationId === found.companyId
      if (event.type === 'RoleAssigned' && isOfDemo && event.data.role === 'AUDITOR') auditors.add(event.data.userId)
      if (event.type === 'UserRegistered' && isOfDemo) {
        const { userId, isSuperAdmin } = event.data
        const ofCompany = auditors.has(userId) ? 'auditorId' : 'adminId'
        found[isSuperAdmin ? 'superAdminId' : ofCompany] = userId
      }
      if (event.type === 'UserErased') {
        const { userId } = event.data
        for (const who of ['adminId', 'superAdminId', 'auditorId'] as const)
          if (found[who] === userId) delete found[who]
      }
      if (event.type === 'ApiKeyMinted' && isOfDemo) found.isComplete = true
    }
    if (page.position === after) return found
    after = page.position
  }
}

async function setPassword(runtime: Runtime, demo: DemoIdentity, who: DemoUser): Promise<void> {
  const passwordHash = await hashGeneratedPassword(demo[`${who}Password`])
  const at = isoTime(runtime.clock.now())
  await sendToUser(runtime, demo, { type: 'ChangePassword', userId: demo[`${who}Id`], passwordHash, at })
}

async function sendToUser({ engines, ids }: Runtime, demo: DemoIdentity, command: UserCommand): Promise<void> {
  const context = { commandId: ids.uuid(), correlationId: demo.companyId, actor: DEMO_ACTOR }
  await engines.commands.handle(userDecider, streamName('user', command.userId), command, context)
}
