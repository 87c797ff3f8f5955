import type { Config } from '../../../platform/config/config.ts'
import { startReactor } from '../../../services/reactor/reactor.ts'
import { startSealer } from '../../../services/reactor/sealer/sealer.ts'
import { testSigningKeys } from '../../support/transparency/sealedTransparencyLog.ts'
import { commands } from '../checkers/commands.ts'
import { databaseCheckers } from '../checkers/databaseCheckers.ts'
import { duties } from '../checkers/duties.ts'
import { databaseLiveness } from '../checkers/liveness.ts'
import { providerKnown } from '../checkers/providerKnown.ts'
import { storedTypes } from '../checkers/storedTypes.ts'
import { topUps } from '../checkers/topUps.ts'
import { topUpsSettled } from '../checkers/topUpsSettled.ts'
import { REQUIRED_B } from '../counters.ts'
import { openProcess, startProjectorProcess } from '../installation.ts'
import { Admins, type KnownCompany } from '../load/admins.ts'
import { BACKEND } from '../load/backendProcess.ts'
import { Charges } from '../load/charges.ts'
import { CommandBook } from '../load/commandBook.ts'
import { Customers } from '../load/customers.ts'
import { DaysPass } from '../load/daysPass.ts'
import { Disputes } from '../load/disputes.ts'
import { grantLapsingLots, type LapsingCompany } from '../load/lapsingLots.ts'
import { LateCharges } from '../load/lateCharges.ts'
import { TopUps } from '../load/topUps.ts'
import { PAYMENT_SETTINGS, PaymentParty } from '../parties/payments/paymentParty.ts'
import { Random } from '../scheduler/random.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { configOf, HTTP_PORT, SETTINGS } from '../settings.ts'
import type { Simulation } from '../simulation.ts'
import type { BuiltWorld, World } from '../world.ts'

/** As readers of the log have it. */
const LOG_KEY = testSigningKeys.of(testSigningKeys.origin)[0]?.vkey ?? ''
const SCRUB_SETTINGS = { LOG_SCRUB_SHARE: '0.5', LOG_SCRUB_INTERVAL_MS: '2000' } as const
const [config, suspendingConfig] = ['false', 'true'].map((DISPUTE_SUSPENDS_COMPANY) =>
  configOf({ ...PAYMENT_SETTINGS, ...SCRUB_SETTINGS, DISPUTE_SUSPENDS_COMPANY }),
) as [Config, Config]
const SUSPENDING_SHARE = 0.5
const MONTH_END_SHARE = 0.1
const MONTH_END_MS = Date.UTC(2026, 3)
/** Reactors close no month before their clocks were steady for five minutes. */
const STEADY_MS = 5 * 60_000
/** The month ends while the load lasts. */
const BEFORE_MONTH_END_MS = 25_000
/** Companies with something to invoice, even if faults keep admins from creating others in time. */
const POSTPAID_AT_MONTH_END = 3
const CALLED_BEFORE_MS = 15_000
const CREDITS_EXPIRE_SHARE = 0.15
/** The expiry of lots is recorded two hours after their time. Nothing runs until shortly before that. */
const BEFORE_EXPIRY_MS = 2 * 60 * 60_000 - 10_000
/** A second reactor doubles what a run costs. Where both could close a month or expire credits, there always is one. */
const TWO_REACTORS_SHARE = 0.5

/** The database with sealers, scrubs, a projector and policies, while companies appear, pay and call all the time. */
export const worldB: World = {
  name: 'B',
  usesDatabase: true,
  requiredCounters: REQUIRED_B,
  startMs: (seed) => (endsMonth(seed) ? MONTH_END_MS - STEADY_MS - BEFORE_MONTH_END_MS : undefined),
  build: async (simulation): Promise<BuiltWorld> => {
    const book = new CommandBook(simulation)
    const secret = SETTINGS.STRIPE_WEBHOOK_SECRET ?? ''
    const party = new PaymentParty(simulation, { host: BACKEND, port: HTTP_PORT, secret })
    const admins = new Admins(simulation, { config, book })
    const lapsing = creditsExpire(simulation.seed) ? await lapsedCompany(simulation) : null
    party.start()
    startProjectorProcess(simulation)
    const needsTwo = endsMonth(simulation.seed) || lapsing !== null
    const areTwo = simulation.random('world').chance(TWO_REACTORS_SHARE) || needsTwo
    const reactors = areTwo ? 2 : 1
    for (let number = 1; number <= reactors; number += 1) startReactorProcess(simulation, `reactor-${number}`)
    admins.open()
    const charges = new Charges(simulation, { config, book, companies: admins.companies })
    await admins.prepare(endsMonth(simulation.seed) ? POSTPAID_AT_MONTH_END : 1)
    if (endsMonth(simulation.seed)) {
      await pause(STEADY_MS - CALLED_BEFORE_MS)
      charges.start()
      await pause(CALLED_BEFORE_MS)
    }
    if (lapsing) admins.companies.push(withOwner(lapsing))
    return {
      loads: [
        admins,
        charges,
        ...(lapsing ? [new LateCharges(simulation, { config, book, company: lapsing })] : []),
        new Customers(simulation, { party, book }),
        new Disputes(simulation, party),
        new TopUps(simulation, { admins, party }),
        new DaysPass(simulation, party),
      ],
      checkers: [
        ...databaseCheckers(simulation, LOG_KEY),
        commands(simulation, () => book.commands),
        topUps(simulation, party),
        storedTypes(simulation),
      ],
      liveness: [
        ...databaseLiveness(simulation),
        providerKnown(simulation, party),
        topUpsSettled(simulation, party),
        ...duties(simulation),
      ],
    }
  },
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function endsMonth(seed: number): boolean {
  return Random.named(seed, 'month').chance(MONTH_END_SHARE)
}

function creditsExpire(seed: number): boolean {
  return !endsMonth(seed) && Random.named(seed, 'credits expire').chance(CREDITS_EXPIRE_SHARE)
}

/** A company whose lots have expired almost two hours ago, or do so now. */
async function lapsedCompany(simulation: Simulation): Promise<LapsingCompany> {
  const owner = new SimulatedProcess('operator')
  const company = await simulation.scheduler.processes.run(owner, async () => {
    const runtime = await openProcess(simulation, owner, { config })
    const granted = await grantLapsingLots(simulation, runtime)
    await runtime.close()
    return granted
  })
  await pause(BEFORE_EXPIRY_MS)
  return company
}

/** Its owner is not registered, so a mail about an invoice has no address. */
function withOwner({ companyId }: LapsingCompany): KnownCompany {
  const owner = {
    userId: companyId,
    email: 'owner@lapsing.example',
    isSuperAdmin: false,
    companyId,
    role: 'OWNER',
  } as const
  return { companyId, owner, fate: 'owner erased', keys: [] }
}

/** As the main program of the reactor does. */
function startReactorProcess(simulation: Simulation, name: string): void {
  simulation.processes.start({
    name,
    start: async (owner) => {
      const suspends = Random.named(simulation.seed, 'suspending').chance(SUSPENDING_SHARE)
      const runtime = await openProcess(simulation, owner, {
        config: suspends ? suspendingConfig : config,
        readsModels: true,
      })
      await startReactor(runtime)
      startSealer({ ...runtime, keys: testSigningKeys })
    },
  })
}
