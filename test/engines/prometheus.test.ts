import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import {
  dashboards,
  expressionsOf,
  metricsIn,
  PROMETHEUS_FOLDER,
  prometheusConfig,
  ruleGroups,
  rulesOf,
} from '../support/cases/monitoringFiles.ts'
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts'
import { describeWithPrometheus, type PrometheusServer, startPrometheus } from '../support/engines/prometheusServer.ts'
import { beginStack, type Stack } from '../support/harness/stack.ts'
import { type RecordingProvider, startRecordingProvider } from '../support/parties/recordingProvider.ts'
import { until } from '../support/time/until.ts'

/** A machine under load starts and scrapes slowly. */
const ALERT_MS_MAX = 100_000
const INTERNAL_TOKEN = 'an-internal-token-of-enough-characters'

/** A stack on Postgres alone has neither a relay nor an EventStoreDB. */
const ONLY_ON_ENGINES = [
  'tollgate_foreign_events_total',
  'tollgate_relay_leads',
  'tollgate_relay_events_total',
  'tollgate_relay_lag_events',
]

/** The generator, which makes these calls, is stopped in a new installation. */
const OF_BACKGROUND_CALLS = ['tollgate_background_model_calls_total', 'tollgate_background_model_call_seconds_bucket']
/** It marks updates in all graphs, and there is none. */
const isAnnotation = (expression: string) => expression.includes('tollgate_build_info unless')
const COST = { currency: 'usd', inputPerMillion: '2.50', outputPerMillion: '10.00' }

describeWithPrometheus('promtool accepts what deploy/ has', () => {
  const promtool = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: PROMETHEUS_FOLDER, encoding: 'utf8' })
    return { status, text: stdout + stderr }
  }

  test.for(ruleGroups())('the rules of the group %s, which pass their unit tests', (group) => {
    expect(promtool('check', 'rules', join('rules', `${group}.yml`))).toMatchObject({ status: 0 })
    const { status, text } = promtool('test', 'rules', join('tests', `${group}.yml`))
    expect(status, text).toBe(0)
  })

  test('the configuration of Prometheus', () => {
    const { status, text } = promtool('check', 'config', '--syntax-only', 'prometheus.yml')
    expect(status, text).toBe(0)
  })
})

describeWithPrometheus('Prometheus beside a running stack', () => {
  let database: TestDatabase
  let provider: RecordingProvider
  let stack: Stack
  let prometheus: PrometheusServer

  beforeAll(async () => {
    database = await createTestDatabase()
    provider = await startRecordingProvider()
    await withCost(provider.providersFile)
    stack = await beginStack([], {
      ...{ DATABASE_URL: database.url, SANDBOX: '1', INTERNAL_TOKEN },
      PROVIDERS_FILE: provider.providersFile,
    })
    await stack.ready()
    const processes = await stack.processes()
    const jobs = prometheusConfig().scrape_configs.map(({ job_name }) => job_name)
    const targets = Object.fromEntries(
      jobs.map((job) => [job, processes.filter(({ name }) => name === job).map(({ url }) => new URL(url ?? '').host)]),
    )
    prometheus = await startPrometheus({ targets, token: INTERNAL_TOKEN })
  })
  afterAll(async () => {
    await prometheus?.stop()
    await stack?.stop()
    await provider?.close().catch(() => {})
    await database?.drop()
  })

  const withCost = async (file: string) => {
    const table = JSON.parse(await readFile(file, 'utf8')) as { aliases: Record<string, { providers: object[] }> }
    for (const alias of Object.values(table.aliases)) {
      alias.providers = alias.providers.map((each) => ({ ...each, cost: COST }))
    }
    await writeFile(file, JSON.stringify(table))
  }
  const post = async (model: string, script: object, streamed = false) => {
    const { gatewayUrl, apiKey } = await stack.demo()
    return fetch(`${gatewayUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: streamed, messages: [{ role: 'user', content: JSON.stringify(script) }] }),
    })
  }
  const chat = async (model = 'svc/chat-default') => {
    const answer = await post(model, { marker: 'call' })
    await answer.text()
    return answer.status
  }
  const leaveStream = async () => {
    const { body } = await post('svc/chat-default', { marker: 'left', pieces: 10, held: true }, true)
    const reader = body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  const sendMail = async () => {
    const { backendUrl, adminToken } = await stack.demo()
    const query = 'mutation { inviteUser(email: "invited@example.com", role: DEVELOPER) { id } }'
    const answer = await fetch(`${backendUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    expect(await answer.json()).toMatchObject({ data: { inviteUser: { id: expect.any(String) } } })
  }
  const values = async (query: string) => {
    const { result } = await prometheus.get<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
      'query',
      { query },
    )
    return result
  }
  const fires = (alertname: string, labels: Record<string, string> = {}) =>
    until(
      `${alertname} fires`,
      async () => {
        const firing = (await prometheus.firing()).filter((one) => one.alertname === alertname)
        return firing.some((one) => Object.entries(labels).every(([label, value]) => one[label] === value))
      },
      ALERT_MS_MAX,
    )

  test('scrapes every service, and finds each metric that dashboards and rules name', async () => {
    expect(await chat()).toBe(200)
    expect(await chat('svc/no-such-alias')).toBe(403)
    await leaveStream()
    await sendMail()
    await until('all services are up', async () => (await values('up == 1')).length === 5, ALERT_MS_MAX)
    const calls = 'tollgate_calls_total{alias="svc/chat-default", provider="recording", outcome="charged"}'
    await until('the call is counted', async () => (await values(`${calls} >= 1`)).length === 1, ALERT_MS_MAX)
    const exposed = await prometheus.get<Record<string, unknown>>('metadata')
    const recorded = ruleGroups()
      .flatMap(rulesOf)
      .map(({ record }) => record)
    const expressions = [
      ...dashboards().flatMap(expressionsOf),
      ...ruleGroups()
        .flatMap(rulesOf)
        .map(({ expr }) => expr),
    ]
    const elsewhere = ['up', 'ALERTS', ...ONLY_ON_ENGINES, ...recorded]
    const named = expressions.flatMap(metricsIn).map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    expect(named.filter((name) => !(name in exposed) && !elsewhere.includes(name))).toEqual([])
  })

  test('sees alerts fire when a projector stops and when a provider dies', async () => {
    const firing = async () => (await prometheus.firing()).map(({ alertname }) => alertname)
    await until('no read model is behind', async () => !(await firing()).includes('TollgateReadModelBehind'))
    expect(await firing()).not.toContain('TollgateProviderBreakerOpen')
    const { pid } = await stack.processNamed('projector')
    sendSignal(pid, 'SIGSTOP')
    try {
      expect(await chat()).toBe(200)
      const cut = await post('svc/chat-default', { marker: 'cut', pieces: 10, held: true }, true)
      await provider.close()
      await cut.text().catch(() => {})
      await until('the breaker is open', async () => {
        expect(await chat()).toBe(503)
        return (await values('tollgate_provider_breaker_state{provider="recording"} == 2')).length > 0
      })
      await Promise.all([
        fires('TollgateProviderBreakerOpen', { provider: 'recording' }),
        fires('TollgateReadModelBehind', { consumer: 'projector-credit-balances' }),
        fires('TollgateServiceDown', { job: 'projector' }),
      ])
    } finally {
      sendSignal(pid, 'SIGCONT')
    }
  })

  test('has data for every panel of the dashboards, once what it shows has happened', async () => {
    const notHere = (name: string) => [...ONLY_ON_ENGINES, ...OF_BACKGROUND_CALLS].includes(name)
    const expressions = dashboards()
      .flatMap(expressionsOf)
      .filter((expression) => !isAnnotation(expression) && !metricsIn(expression).every(notHere))
    expect(expressions.length).toBeGreaterThan(50)
    const hasData = async (expression: string) => {
      // Longer than the tests before this one take, so that what happened in them is within it.
      const found = await values(expression.replaceAll('$__rate_interval', '15m').replaceAll(/\$\w+/g, '.*'))
      return found.some(({ value: [, number] }) => number !== 'NaN')
    }
    const withoutData = async () => {
      const found = await Promise.all(expressions.map(hasData))
      return expressions.filter((_, n) => !found[n])
    }
    let empty: string[] = expressions
    await until(
      'every panel has data',
      async () => {
        empty = await withoutData()
        return empty.length === 0
      },
      ALERT_MS_MAX,
    ).catch(() => {})
    expect(empty).toEqual([])
  })
})
