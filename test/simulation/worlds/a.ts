import type { ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { WIRES } from '../../../capabilities/providers/wires.ts'
import { readUnsettledCalls } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'
import { callConditions } from '../checkers/callConditions.ts'
import { countedAttempts, countedCalls, REQUIRED_A } from '../checkers/callCounters.ts'
import { callCheckers } from '../checkers/calls.ts'
import { UnsettledFiles } from '../checkers/unsettledFiles.ts'
import { Accounts } from '../load/accounts.ts'
import { Calls } from '../load/calls.ts'
import { ModelProvider } from '../parties/modelProvider.ts'
import { HTTP_PORT } from '../settings.ts'
import type { Simulation } from '../simulation.ts'
import { hasGap, overlaps } from '../spans.ts'
import { MemoryInstallation } from '../store/memoryInstallation.ts'
import type { BuiltWorld, World } from '../world.ts'
import { startMemoryGateway } from './memoryGateway.ts'

const GATEWAYS = ['gateway-1', 'gateway-2']
const PROVIDERS = ['provider-1', 'provider-2']
const ALIASES = ['svc/chat-default', 'svc/chat-cheap']
const PROVIDER_MS_MAX = 4_000
/** So long without a disturbance, a gateway gets all events that were stored before. */
const CAUGHT_UP_MS = 250

/** Two gateways on an event store in memory, while companies, keys and prices change and callers call. */
export const worldA: World = {
  name: 'A',
  usesDatabase: false,
  requiredCounters: REQUIRED_A,
  build: async (simulation): Promise<BuiltWorld> => {
    const installation = new MemoryInstallation(simulation)
    const unsettled = new UnsettledFiles(simulation)
    const providers = PROVIDERS.map((name) => new ModelProvider(simulation, name))
    for (const provider of providers) await provider.start()
    const accounts = new Accounts(simulation, installation, ALIASES)
    await accounts.prepare()
    const calls = new Calls(simulation, {
      gateways: GATEWAYS,
      aliases: ALIASES,
      keys: () => accounts.keys,
      probeKey: () => accounts.probeKey,
    })
    await startGateways(simulation, installation, calls)
    accounts.onMinted = (key) => calls.askWith(key)
    const facts = {
      events: () => installation.store.log.events,
      companies: () => accounts.companies,
      attempts: () => calls.attempts,
      provided: () => providers.flatMap(({ calls }, provider) => calls.map((call) => ({ ...call, provider }))),
      keptUp: (process: string, fromMs: number, toMs: number) => {
        const pauses = simulation.processes.pauses.filter(({ name }) => name === process)
        return hasGap([...installation.store.disturbances(process), ...pauses], fromMs, toMs, CAUGHT_UP_MS)
      },
      wasPaused: (process: string, fromMs: number, toMs: number) =>
        overlaps(
          simulation.processes.pauses.filter(({ name }) => name === process),
          fromMs,
          toMs,
        ),
      // The admins report their changes to the shared state.
      wasCutOff: (process: string, fromMs: number, toMs: number) =>
        overlaps(
          installation.sharedState.cutOffs.filter(({ name }) => name === process || name === 'admins'),
          fromMs,
          toMs,
        ),
      isLost: (callId: string) => unsettled.isLost(callId),
      aheadMs: installation.aheadMs,
    }
    return {
      loads: [accounts, calls],
      checkers: [
        ...callCheckers(facts),
        unsettled.reported(() => Promise.all(installation.dataDirs.map(readUnsettledCalls))),
        countedAttempts(simulation, facts),
        countedCalls(simulation, facts),
      ],
      liveness: [...callConditions(installation, calls, GATEWAYS.length), unsettled.settled()],
    }
  },
}

/** Resolves when both serve. */
function startGateways(simulation: Simulation, installation: MemoryInstallation, calls: Calls): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = new Set<string>()
  for (const [n, name] of GATEWAYS.entries()) {
    simulation.processes.start({
      name,
      start: async (owner) => {
        owner.onKill(() => {
          if (calls.isWaitingFor(name)) simulation.counters.hit('a gateway is killed with a call in flight')
        })
        await startMemoryGateway(installation, owner, n, providerTable())
        started.add(name)
        if (started.size === GATEWAYS.length) resolve()
      },
    })
  }
  return promise
}

function providerTable(): ProviderTable {
  const providers = PROVIDERS.map((name) => ({
    ...{ name, baseUrl: `http://${name}:${HTTP_PORT}/v1`, model: 'm', apiKey: 'provider-key', wires: WIRES },
    ...{ connectTimeoutMs: PROVIDER_MS_MAX, firstByteTimeoutMs: PROVIDER_MS_MAX, idleTimeoutMs: PROVIDER_MS_MAX },
  }))
  const [first, ...others] = providers
  if (!first) throw new Error('there is no provider')
  return Object.fromEntries(
    ALIASES.map((alias) => [alias, { maxOutputTokens: 100, providers: [first, ...others] }]),
  ) as ProviderTable
}
