import type { Provider, ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { WIRES } from '../../../capabilities/providers/wires.ts'
import { readUnsettledCalls } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { registerUser } from '../../../scripts/admin/users.ts'
import { PRICES, seeding } from '../../support/harness/gatewayHarness.ts'
import { countedAttempts, SEEN_BY_CALLERS } from '../checkers/callCounters.ts'
import type { CallFacts } from '../checkers/callFacts.ts'
import { callCheckers } from '../checkers/calls.ts'
import { databaseCheckers } from '../checkers/databaseCheckers.ts'
import { deliveries, invitationsAreMailed, mails, noTaskIsOverdue } from '../checkers/deliveries.ts'
import { disturbances } from '../checkers/disturbances.ts'
import { storedEvents } from '../checkers/events.ts'
import { health, isHealthy } from '../checkers/health.ts'
import { databaseLiveness } from '../checkers/liveness.ts'
import { proofs } from '../checkers/proofs.ts'
import { UnsettledFiles } from '../checkers/unsettledFiles.ts'
import { REQUIRED_C } from '../counters.ts'
import {
  aiWith,
  backend,
  gatewayWith,
  openProcess,
  reactor,
  startProjectorProcess,
  startService,
} from '../installation.ts'
import type { Key } from '../load/accounts.ts'
import { Books } from '../load/books.ts'
import { Calls } from '../load/calls.ts'
import { Client } from '../load/client.ts'
import { GraphqlAdmins } from '../load/graphqlAdmins.ts'
import { HealthPolls } from '../load/healthPolls.ts'
import { Hiring } from '../load/hiring.ts'
import { Invitations } from '../load/invitations.ts'
import { patiently } from '../load/patience.ts'
import { detailedPrice } from '../load/prices.ts'
import { Proofs } from '../load/proofs.ts'
import { Mailbox } from '../parties/mailbox.ts'
import { ModelProvider } from '../parties/modelProvider.ts'
import { PaymentParty } from '../parties/payments/paymentParty.ts'
import { WebhookReceivers } from '../parties/webhookReceivers.ts'
import { LOG_VKEY } from '../settings.ts'
import '../preload.ts'
import { FILES_ROOT } from '../scheduler/files.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { BuiltWorld, World } from '../world.ts'

const ROOT = { email: 'root@platform.example', password: 'a password of a super admin' }
const GATEWAYS = ['gateway-1', 'gateway-2']
const PROVIDERS = ['provider-1', 'provider-2'] as const
const ALIASES = ['svc/chat-default', 'svc/chat-cheap']
const PROVIDER_MS_MAX = 4_000
/** A second reactor doubles what the reactors cost. */
const TWO_REACTORS_SHARE = 0.3
/** A revoked key is used a little longer. */
const REVOKED_KEYS_USED_MS = 4_000

/** Everything: two gateways, backend and AI service over HTTP, a projector and two reactors, and outside parties. */
export const worldC: World = {
  name: 'C',
  usesDatabase: true,
  requiredCounters: [...REQUIRED_C, ...SEEN_BY_CALLERS],
  build: async (simulation): Promise<BuiltWorld> => {
    const { scheduler, cutOffs } = simulation
    for (const name of GATEWAYS) cutOffs.victims.add(name)
    const providers = PROVIDERS.map((name) => new ModelProvider(simulation, name, { mayFail: true }))
    for (const provider of providers) await provider.start()
    new PaymentParty(simulation, { host: 'backend', port: 80, secret: 'whsec_simulated' }).start()
    const receivers = new WebhookReceivers(simulation)
    const mailbox = new Mailbox(simulation)
    await setUp(simulation)
    startProjectorProcess(simulation)
    startService(simulation, 'reactor-1', reactor)
    if (simulation.random('world').chance(TWO_REACTORS_SHARE)) startService(simulation, 'reactor-2', reactor)
    for (const name of GATEWAYS) startService(simulation, name, gatewayWith(providerTable()))
    startService(simulation, 'backend', backend)
    startService(simulation, 'ai', aiWith(providerTable()))
    const owner = new SimulatedProcess('clients')
    const books = new Books()
    const client = new Client(simulation, owner)
    const { admins, probeKey } = await scheduler.processes.run(owner, async () => {
      const options = { simulation, owner, client, books, receivers, token: await signIn(client) }
      const opened = new GraphqlAdmins(options)
      return { admins: opened, probeKey: await opened.prepare() }
    })
    const isUsed = ({ revoked }: Key) => revoked === null || revoked.sentAtMs > scheduler.nowMs - REVOKED_KEYS_USED_MS
    const calls = new Calls(simulation, {
      gateways: GATEWAYS,
      aliases: ALIASES,
      keys: () => books.companies.flatMap(({ keys }) => keys.filter(isUsed)),
      probeKey: () => probeKey,
    })
    admins.onMinted = (key) => calls.askWith(key)
    const attempts = () => calls.attempts
    const unsettled = new UnsettledFiles(simulation)
    const facts = callFacts(unsettled, simulation, books, calls, providers)
    return {
      loads: [
        admins,
        calls,
        new Invitations({ simulation, owner, client, books, mailbox }),
        new Proofs(simulation, owner, client, books, attempts),
        new Hiring({ simulation, owner, client, books }),
        new HealthPolls(simulation, owner, client, books),
      ],
      checkers: [
        ...databaseCheckers(simulation, LOG_VKEY),
        ...callCheckers(facts),
        countedAttempts(simulation, facts),
        unsettled.reported(async () => [await readUnsettledCalls(FILES_ROOT)]),
        proofs({ simulation, owner, client, books, attempts, vkey: LOG_VKEY }),
        deliveries(simulation, books, receivers),
        mails(simulation, books, mailbox),
        health(simulation, books),
        { invariant: 'answers are those of the documents', watch: () => books.broken[0] ?? null, end: () => null },
      ],
      liveness: [
        ...databaseLiveness(simulation).filter(({ name }) => name !== 'no task waits'),
        noTaskIsOverdue(simulation),
        invitationsAreMailed(simulation, books),
        isHealthy(simulation, books),
        unsettled.settled(),
        {
          name: 'every call has ended, and both gateways serve',
          missing: () =>
            calls.pending === 0 && calls.recovered.size === GATEWAYS.length
              ? null
              : `${calls.pending} callers wait, ${[...calls.recovered].join()} answered`,
        },
      ],
    }
  },
}

/** What the checkers of calls know in this world. */
function callFacts(
  unsettled: UnsettledFiles,
  simulation: Simulation,
  books: Books,
  calls: Calls,
  providers: readonly ModelProvider[],
): CallFacts {
  const isDisturbed = disturbances(simulation)
  return {
    events: () => storedEvents(simulation.pglite) as unknown as readonly RecordedEvent[],
    companies: () => books.companies,
    attempts: () => calls.attempts,
    provided: () => providers.flatMap(({ calls }, provider) => calls.map((call) => ({ ...call, provider }))),
    keptUp: (_process, fromMs, toMs) => !isDisturbed(fromMs, toMs),
    wasPaused: (_process, fromMs, toMs) => isDisturbed(fromMs, toMs),
    // The shared state is in the database, too.
    wasCutOff: (_process, fromMs, toMs) => isDisturbed(fromMs, toMs),
    isLost: (callId) => unsettled.isLost(callId),
    aheadMs: simulation.databaseAheadMs,
  }
}

/** What an operator does before anything else runs: prices, and a super admin. */
async function setUp(simulation: Simulation): Promise<void> {
  const owner = new SimulatedProcess('operator')
  await simulation.scheduler.processes.run(owner, async () => {
    const runtime = await openProcess(simulation, owner)
    const details = simulation.random('details of prices')
    const prices = Object.entries(PRICES).map(([alias, price]) => [alias, detailedPrice(price, details)] as const)
    await seeding(runtime, runtime.engines.ledger).publishPrices(Object.fromEntries(prices))
    await registerUser(runtime.engines, { ...ROOT, companyId: null })
    await runtime.close()
  })
}

async function signIn(client: Client): Promise<string> {
  const query = 'mutation($email: String!, $password: String!) { login(email: $email, password: $password) { token } }'
  const token = await patiently(
    () => true,
    async () => {
      const { data, code } = await client.ask(query, ROOT)
      return code === undefined ? (data.login.token as string) : null
    },
  )
  return token ?? ''
}

function providerTable(): ProviderTable {
  const providerOf = (name: string): Provider => ({
    ...{ name, baseUrl: `http://${name}/v1`, model: 'm', apiKey: 'provider-key', wires: WIRES },
    ...{ connectTimeoutMs: PROVIDER_MS_MAX, firstByteTimeoutMs: PROVIDER_MS_MAX, idleTimeoutMs: PROVIDER_MS_MAX },
  })
  const providers = [providerOf(PROVIDERS[0]), providerOf(PROVIDERS[1])] as const
  return Object.fromEntries(ALIASES.map((alias) => [alias, { maxOutputTokens: 100, providers }]))
}
