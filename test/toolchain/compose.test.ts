import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Config,
  readConfig,
  requireSettings,
  SETTING_NAMES,
  type SettingName,
} from '../../platform/config/config.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'
import { kafkaVersion } from '../../scripts/kafka/jars.ts'
import { prometheusConfig } from '../support/cases/monitoringFiles.ts'
import { EVENT_STORE_VERSION } from '../support/eventStores/eventStoreServer.ts'
import { type ComposeFile, interpolate, readComposeFile, repository, schemaFaults } from './composeFile.ts'

const LOAD_BALANCER = 'load-balancer'
const file = readComposeFile()
const own = Object.entries(file.services).filter(([, { image }]) => image === 'tollgate')
const others = Object.entries(file.services).filter(([, { image }]) => image !== 'tollgate')
const engines = others.filter(([name, { profiles }]) => profiles === undefined && name !== LOAD_BALANCER)
const ofProfile = (profile: string) => others.filter(([, { profiles }]) => profiles?.includes(profile))
const clusterNodes = ofProfile('cluster').filter(([, { healthcheck }]) => healthcheck !== undefined)
const kafkaNodes = ofProfile('kafka-cluster')
const monitoring = ofProfile('monitoring')

/** Enough for a start; nothing here is what anybody should use. */
const GIVEN = {
  POSTGRES_PASSWORD: 'a-password',
  INTERNAL_TOKEN: 'an-internal-token-of-enough-characters',
  JWT_SECRET: 'a-secret-for-tokens-of-32-characters-or-more',
  STRIPE_SECRET_KEY: 'a-payment-key',
  STRIPE_WEBHOOK_SECRET: 'a-webhook-secret',
  SMTP_URL: 'smtp://mail.example',
  PUBLIC_URL: 'https://tollgate.example',
  LOG_SIGNING_KEY: signingKey('tollgate.example', Buffer.alloc(32, 1)).text,
}

/** OpenTelemetry's exporter reads these itself. */
const READ_BY_OPENTELEMETRY = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES']

function environmentOf(name: string, given: Record<string, string> = GIVEN): Record<string, string> {
  const written = Object.entries(file.services[name]?.environment ?? {})
  return Object.fromEntries(written.map(([setting, value]) => [setting, interpolate(String(value), given)]))
}

/** The services that a service depends on. */
function requiredBy(name: string): SettingName[] {
  const program = readFileSync(path.join(repository, 'services', name, 'main.ts'), 'utf8')
  const list = /requires: \[([^\]]*)\]/.exec(program)?.[1]
  if (list === undefined) throw new Error(`services/${name}/main.ts does not say what it requires`)
  return [...list.matchAll(/'(\w+)'/g)].map(([, setting]) => setting as SettingName)
}

describe('docker-compose.yml', () => {
  test('is valid by the Compose specification', () => {
    expect(schemaFaults(file)).toEqual([])
  })

  const slips: { what: string; plant: (file: ComposeFile) => void }[] = [
    { what: 'an unknown field', plant: ({ services }) => Object.assign(services.redis ?? {}, { healtcheck: {} }) },
    {
      what: 'an unknown condition',
      plant: ({ services }) => Object.assign(services.relay ?? {}, { depends_on: { kafka: { condition: 'ready' } } }),
    },
    {
      what: 'a number in place of a time',
      plant: ({ services }) => Object.assign(services.redis?.healthcheck ?? {}, { interval: 10 }),
    },
    { what: 'a misplaced volume', plant: (whole) => Object.assign(whole, { volume: { redis: null } }) },
  ]
  test.for(slips)('with $what it would not be one', ({ plant }) => {
    const planted = structuredClone(file)
    plant(planted)
    expect(schemaFaults(planted)).not.toEqual([])
  })

  test('has a container for every service, and the engines it needs', () => {
    const folders = globSync('services/*/main.ts', { cwd: repository }).map((found) => found.split(path.sep)[1])
    // The sandbox stands in for outside parties; here the real ones are.
    expect(own.map(([name]) => name).sort()).toEqual(folders.filter((name) => name !== 'sandbox').sort())
    expect(engines.map(([, { image }]) => image).sort()).toEqual([
      `apache/kafka:${kafkaVersion}`,
      `eventstore/eventstore:${EVENT_STORE_VERSION}-bookworm-slim`,
      expect.stringMatching(/^postgres:18\./),
      expect.stringMatching(/^redis:/),
    ])
  })

  test('has a load balancer that asks each gateway whether it takes calls', () => {
    const balancer = file.services[LOAD_BALANCER]
    expect(balancer?.ports).toEqual(['127.0.0.1:4000:4000'])
    expect(balancer?.depends_on).toEqual({ gateway: { condition: 'service_healthy' } })
    // Only the load balancer is reached from outside, and the gateways take the caller's address from it.
    expect(file.services.gateway?.ports).toBeUndefined()
    expect(readConfig(environmentOf('gateway')).TRUST_PROXY).toBe(1)
    const settings = readFileSync(path.join(repository, 'deploy/haproxy/haproxy.cfg'), 'utf8')
    // A gateway that stops takes calls until the load balancer has noticed.
    const [, checkSeconds, failures] = / check inter (\d+)s fall (\d+) /.exec(settings) ?? []
    const noticedMs = Number(checkSeconds) * Number(failures) * 1_000
    expect(noticedMs).toBeGreaterThan(0)
    expect(readConfig(environmentOf('gateway')).DRAIN_DELAY_MS).toBeGreaterThan(noticedMs)
    expect(settings).toMatch(/^ +http-check send meth GET uri \/readyz$/m)
    expect(settings).toMatch(/^ +option forwardfor$/m)
    expect(settings).toContain(`gateway:${readConfig({}).GATEWAY_PORT} check`)
  })

  test('has a profile with Prometheus and Grafana, with the files of deploy/', () => {
    expect(monitoring.map(([name]) => name)).toEqual(['prometheus', 'grafana'])
    const [[, prometheus], [, grafana]] = monitoring as [(typeof monitoring)[0], (typeof monitoring)[0]]
    expect(prometheus.secrets).toEqual(['internal-token'])
    expect(file.secrets).toEqual({ 'internal-token': { environment: 'INTERNAL_TOKEN' } })
    const config = prometheusConfig()
    for (const job of config.scrape_configs) {
      expect(job.authorization).toEqual({ credentials_file: '/run/secrets/internal-token' })
      const ports = readConfig({}) as unknown as Record<string, number>
      expect(job.dns_sd_configs).toMatchObject([
        { names: [job.job_name], port: ports[`${job.job_name.toUpperCase()}_PORT`] },
      ])
    }
    expect(prometheus.volumes).toContain('./deploy/prometheus/rules:/etc/prometheus/rules:ro')
    expect(config.rule_files).toEqual(['/etc/prometheus/rules/*.yml'])
    expect(grafana.volumes).toContain('./deploy/grafana/dashboards:/var/lib/grafana/dashboards:ro')
  })

  test('has a profile with three Kafka brokers, of which one may be lost', () => {
    const nodes = ['kafka-1', 'kafka-2', 'kafka-3']
    expect(kafkaNodes.map(([name]) => name)).toEqual(nodes)
    const voters = nodes.map((name, n) => `${n + 1}@${name}:9093`).join(',')
    for (const [n, [name, { image, environment, volumes }]] of kafkaNodes.entries()) {
      expect(image).toBe(`apache/kafka:${kafkaVersion}`)
      expect(environment).toMatchObject({
        KAFKA_NODE_ID: n + 1,
        KAFKA_ADVERTISED_LISTENERS: `BROKER://${name}:9092`,
        KAFKA_CONTROLLER_QUORUM_VOTERS: voters,
        KAFKA_DEFAULT_REPLICATION_FACTOR: 3,
        KAFKA_MIN_INSYNC_REPLICAS: 2,
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 3,
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      })
      expect(volumes).toEqual([`${name}:/var/lib/kafka/data`])
    }
    expect(new Set(kafkaNodes.map(([, { environment }]) => environment?.CLUSTER_ID)).size).toBe(1)
    const guide = readFileSync(path.join(repository, 'docs/operators.md'), 'utf8')
    const [, brokers = ''] = /^KAFKA_BROKERS=(kafka-1.*)$/m.exec(guide) ?? []
    expect(brokers.split(',')).toEqual(nodes.map((name) => `${name}:9092`))
    for (const [name, { depends_on = {} }] of own) {
      expect(environmentOf(name, { ...GIVEN, KAFKA_BROKERS: brokers }).KAFKA_BROKERS).toBe(brokers)
      for (const node of nodes) expect(depends_on[node]).toEqual({ condition: 'service_healthy', required: false })
    }
  })

  const running = Object.entries(file.services).filter(([name]) => name !== 'eventstore-certificates')
  test.for(running)('%s is checked for its health', ([, { healthcheck }]) => {
    expect(healthcheck?.test[0]).toBe('CMD')
    for (const time of [healthcheck?.interval, healthcheck?.timeout]) expect(time).toMatch(/^\d+(s|m)$/)
    expect(healthcheck?.retries).toBeGreaterThan(0)
  })

  test.for(own)('%s starts its program after healthy engines', ([name, { command, depends_on = {} }]) => {
    expect(command).toEqual(['node', '--no-parallel-scavenge', `services/${name}/main.ts`])
    expect(existsSync(path.join(repository, `services/${name}/main.ts`))).toBe(true)
    for (const [engine] of engines) expect(depends_on[engine]?.condition, engine).toBe('service_healthy')
  })

  test.for(own)('%s is asked where it listens whether it takes requests', ([name, { healthcheck }]) => {
    const config = readConfig({}) as unknown as Record<string, number>
    expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${config[`${name.toUpperCase()}_PORT`]}/readyz'`)
  })

  test.for(Object.entries(file.services))('%s has a limit of memory', ([, { mem_limit }]) => {
    expect(mem_limit).toMatch(/^\d+[mg]$/)
  })

  test.for(others)('%s has an image of one exact version', ([, { image }]) => {
    expect(image).toMatch(/^[a-z/-]+:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$/)
  })

  test.for(own)('%s has settings that exist, and all that it requires', ([name]) => {
    const environment = environmentOf(name)
    const exists = (setting: string) => SETTING_NAMES.includes(setting) || READ_BY_OPENTELEMETRY.includes(setting)
    expect(Object.keys(environment).filter((setting) => !exists(setting))).toEqual([])
    const config: Config = readConfig(environment)
    expect(config.sandbox).toBe(false)
    const always: SettingName[] = ['DATABASE_URL', 'EVENTSTORE_URL', 'KAFKA_BROKERS', 'REDIS_URL']
    requireSettings(config, [...always, ...requiredBy(name)])
  })

  test.for(own)('%s may take as long to stop as its drain does', ([name, { stop_grace_period }]) => {
    const [, seconds] = /^(\d+)s$/.exec(stop_grace_period ?? '') ?? []
    const { DRAIN_DELAY_MS, DRAIN_TIMEOUT_MS } = readConfig(environmentOf(name))
    expect(Number(seconds) * 1_000).toBeGreaterThan(DRAIN_DELAY_MS + 4 * DRAIN_TIMEOUT_MS)
  })

  test.for(own)('%s sends traces if .env names a collector, and none otherwise', ([name]) => {
    const otel = SETTING_NAMES.filter((setting) => setting.startsWith('OTEL_'))
    expect(Object.keys(environmentOf(name))).toEqual(expect.arrayContaining([...otel, ...READ_BY_OPENTELEMETRY]))
    const address = 'http://collector:4318'
    const config = readConfig(environmentOf(name, { ...GIVEN, OTEL_EXPORTER_OTLP_ENDPOINT: address }))
    expect(config.OTEL_EXPORTER_OTLP_ENDPOINT).toBe(address)
    expect(readConfig(environmentOf(name)).OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined()
  })

  test.for(own)('%s reaches the engines by the names that they have here', ([name]) => {
    const { DATABASE_URL = '', EVENTSTORE_URL = '', KAFKA_BROKERS = '', REDIS_URL = '' } = environmentOf(name)
    const hosts = [DATABASE_URL, EVENTSTORE_URL, `kafka://${KAFKA_BROKERS}`, REDIS_URL].map(
      (url) => new URL(url).hostname,
    )
    expect(hosts.sort()).toEqual(engines.map(([engine]) => engine).sort())
  })

  test.for(Object.keys(GIVEN))('no service starts without %s, and it is written nowhere', (secret) => {
    const { [secret as keyof typeof GIVEN]: _, ...rest } = GIVEN
    const users = Object.entries(file.services).filter(([, service]) =>
      Object.values(service.environment ?? {}).some((value) => String(value).includes(`\${${secret}`)),
    )
    expect(users.length).toBeGreaterThan(0)
    for (const [name] of users) expect(() => environmentOf(name, rest), name).toThrow(secret)
  })

  test('has a profile with three nodes of the tested EventStoreDB, which the services reach with TLS', () => {
    const nodes = ['eventstore-1', 'eventstore-2', 'eventstore-3']
    expect(clusterNodes.map(([name]) => name)).toEqual(nodes)
    const image = `eventstore/eventstore:${EVENT_STORE_VERSION}-bookworm-slim`
    for (const [name, service] of clusterNodes) {
      expect(service.image).toBe(image)
      expect(service.environment).toMatchObject({
        EVENTSTORE_CLUSTER_SIZE: 3,
        EVENTSTORE_GOSSIP_SEED: nodes.map((node) => `${node}:2113`).join(','),
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: name,
        EVENTSTORE_CERTIFICATE_FILE: `/certificates/${name}/node.crt`,
      })
      expect(service.environment).not.toHaveProperty('EVENTSTORE_INSECURE')
    }
    const guide = readFileSync(path.join(repository, 'docs/operators.md'), 'utf8')
    const [, url = ''] = /^EVENTSTORE_URL=(esdb:.*eventstore-1.*)$/m.exec(guide) ?? []
    expect(url).toContain('tlsCAFile=/eventstore/ca.crt')
    for (const [name, { volumes = [], depends_on = {} }] of own) {
      expect(environmentOf(name, { ...GIVEN, EVENTSTORE_URL: url }).EVENTSTORE_URL).toBe(url)
      expect(volumes).toContain('eventstore-authority:/eventstore:ro')
      for (const node of nodes) expect(depends_on[node]).toEqual({ condition: 'service_healthy', required: false })
    }
  })

  test('keeps data in volumes that are declared, each with a use', () => {
    const used = Object.values(file.services).flatMap(({ volumes = [] }) =>
      volumes.map((text) => text.split(':')[0] ?? ''),
    )
    const isFile = (name: string) => name.startsWith('./')
    expect([...new Set(used)].filter((name) => !isFile(name)).sort()).toEqual(Object.keys(file.volumes).sort())
    for (const name of used.filter(isFile)) expect(existsSync(path.join(repository, name)), name).toBe(true)
    for (const [name, { volumes }] of engines) expect(volumes, name).not.toBeUndefined()
  })
})

describe('Dockerfile', () => {
  const dockerfile = readFileSync(path.join(repository, 'Dockerfile'), 'utf8')

  test('has the Node version of the packages and does not run as root', () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'))
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    expect(bases.length).toBeGreaterThan(1)
    for (const base of bases) expect(base).toBe(`node:${dependencies.node}-bookworm-slim`)
    expect(/^USER (\S+)/m.exec(dockerfile)?.[1]).toBe('node')
  })

  test('copies everything that the services import, and only files that exist', () => {
    const rules = readFileSync(path.join(repository, '.dockerignore'), 'utf8').split('\n')
    const letIn = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1))
    for (const name of letIn) expect(existsSync(path.join(repository, name)), name).toBe(true)
    expect(letIn).toEqual(
      expect.arrayContaining([
        'contracts',
        'domain',
        'projections',
        'platform',
        'capabilities',
        'services',
        'package.json',
      ]),
    )
    expect(rules).toContain('*')
  })
})
