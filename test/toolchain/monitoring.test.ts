import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { isPassedOn } from '../../services/gateway/call/providerFailure.ts'
import { declaredMetrics } from '../support/cases/declaredMetrics.ts'
import {
  dashboards,
  datasourceUids,
  expressionsOf,
  labelsIn,
  metricsIn,
  PROMETHEUS_FOLDER,
  prometheusConfig,
  type Rule,
  ruleGroups,
  rulesOf,
} from '../support/cases/monitoringFiles.ts'
import { repository } from '../support/processes/npmProcess.ts'

const GROUPS = ruleGroups()
const RULES = GROUPS.flatMap(rulesOf)
const ALERTS = RULES.filter((rule) => rule.alert !== undefined)
const DASHBOARDS = dashboards()

/** Labels that Prometheus adds, and that of the buckets of a histogram. */
const OF_PROMETHEUS = ['job', 'instance', 'le', 'alertstate']
const known = knownMetrics()

/** The labels of every metric that a service exposes or a rule records, by the name in an expression. */
function knownMetrics(): Map<string, readonly string[]> {
  const metrics = new Map<string, readonly string[]>([
    ['up', []],
    ['ALERTS', []],
  ])
  for (const { name, kind, labels } of declaredMetrics()) {
    const names = kind === 'Histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
    for (const each of names) metrics.set(each, labels)
  }
  for (const { name } of createMetrics().getMetricsAsArray()) {
    for (const each of [name, `${name}_sum`, `${name}_count`]) metrics.set(each, [])
  }
  for (const { record, expr } of RULES) if (record) metrics.set(record, labelsIn(expr))
  return metrics
}

function faultsOf(expression: string): string[] {
  const metrics = metricsIn(expression)
  if (metrics.length === 0) return [`no metric: ${expression}`]
  const labels = new Set([...OF_PROMETHEUS, ...metrics.flatMap((name) => known.get(name) ?? [])])
  return [
    ...metrics.filter((name) => !known.has(name)).map((name) => `no such metric: ${name}`),
    ...labelsIn(expression)
      .filter((label) => !labels.has(label))
      .map((label) => `no such label: ${label} in ${expression}`),
  ]
}

test('a misspelt metric and a label that it does not have are found', () => {
  expect(faultsOf('sum by (alias) (rate(tollgate_calls_total{outcome="failed"}[5m]))')).toEqual([])
  expect(faultsOf('rate(tollgate_call_total[5m])')).toEqual(['no such metric: tollgate_call_total'])
  expect(faultsOf('sum by (company) (tollgate_calls_total)')).toHaveLength(1)
  expect(faultsOf('tollgate_calls_total{company="a"}')).toHaveLength(1)
  expect(faultsOf('rate(tollgate_call_added_seconds[5m])')).toHaveLength(1)
  expect(faultsOf('vector(1)')).toHaveLength(1)
})

describe('the rules of Prometheus', () => {
  test('do not count calls as failed that their callers caused', () => {
    const statuses = Array.from({ length: 300 }, (_, n) => 300 + n)
    const expected = ['client_left', ...statuses.filter(isPassedOn).map((status) => `provider_${status}`)]
    const expressions = [...RULES.map(({ expr }) => expr), ...DASHBOARDS.flatMap(expressionsOf)]
    const excluded = expressions.flatMap((expr) =>
      [...expr.matchAll(/tollgate_call_failures_total\{reason!~"([^"]+)"\}/g)].map(([, reasons = '']) => reasons),
    )
    expect(excluded).toHaveLength(2)
    const reasons = ['client_left', 'no_usage', 'provider_cut', ...statuses.map((status) => `provider_${status}`)]
    for (const pattern of excluded) {
      expect(reasons.filter((reason) => new RegExp(`^(?:${pattern})$`).test(reason))).toEqual(expected)
    }
  })

  test('name only metrics and labels that exist', () => {
    expect(RULES.flatMap(({ expr }) => faultsOf(expr))).toEqual([])
  })

  test('have names of their own', () => {
    const names = RULES.map(({ alert, record }) => alert ?? record)
    expect(names).toEqual([...new Set(names)])
  })

  test.for(ALERTS)(
    '$alert has a severity, a summary and a section of the runbook',
    ({ alert, labels, annotations }) => {
      expect(labels?.severity).toMatch(/^(critical|warning)$/)
      expect(annotations?.summary).toMatch(/./)
      expect(annotations?.runbook).toBe(`docs/runbook.md#${alert?.toLowerCase()}`)
    },
  )

  test('have one section of the runbook each, which says what to do', () => {
    const runbook = readFileSync(join(repository, 'docs/runbook.md'), 'utf8')
    const sections = [...runbook.matchAll(/^### (\w+)\n\n(.+?)\n/gm)].map(([, name]) => name)
    expect(sections.toSorted()).toEqual(ALERTS.map(({ alert }) => alert).toSorted())
  })

  type UnitTests = {
    tests: {
      alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[]
      promql_expr_test?: { expr: string }[]
    }[]
  }
  test.for(GROUPS)('of the group %s are each tested, alerts also with one that fires', (group) => {
    const { tests } = parse(readFileSync(join(PROMETHEUS_FOLDER, 'tests', `${group}.yml`), 'utf8')) as UnitTests
    const fired = tests
      .flatMap(({ alert_rule_test = [] }) => alert_rule_test)
      .filter((one) => one.exp_alerts.length > 0)
    const evaluated = tests
      .flatMap(({ promql_expr_test = [] }) => promql_expr_test)
      .flatMap(({ expr }) => metricsIn(expr))
    const isTested = ({ alert, record }: Rule) =>
      fired.some(({ alertname }) => alertname === alert) || evaluated.some((name) => name === record)
    expect(rulesOf(group).filter((rule) => !isTested(rule))).toEqual([])
  })
})

test('Prometheus scrapes every service that runs as a process of its own', () => {
  const services = globSync('services/*/main.ts', { cwd: repository }).map((file) => file.split('/')[1])
  const jobs = prometheusConfig().scrape_configs.map(({ job_name }) => job_name)
  expect(jobs.toSorted()).toEqual(services.filter((name) => name !== 'sandbox').toSorted())
})

describe.for(DASHBOARDS)('the dashboard "$title"', (dashboard) => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row')

  test('names only metrics and labels that exist', () => {
    expect(expressionsOf(dashboard).flatMap(faultsOf)).toEqual([])
    for (const { name, definition } of dashboard.templating.list) {
      const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? []
      expect(known.has(metric), definition).toBe(true)
      expect([...OF_PROMETHEUS, ...(known.get(metric) ?? [])]).toContain(label)
      expect(expressionsOf(dashboard).join('\n'), 'a variable that no panel uses').toContain(`$${name}`)
    }
  })

  test('has panels with a title, a unit and queries of the provisioned data source', () => {
    expect(panels.length).toBeGreaterThan(0)
    for (const { title, datasource, fieldConfig, targets = [] } of panels) {
      expect(title).toMatch(/./)
      expect(fieldConfig?.defaults.unit, title).toMatch(/./)
      expect(datasourceUids(), title).toContain(datasource?.uid)
      expect(targets.length, title).toBeGreaterThan(0)
    }
    const ids = dashboard.panels.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('has legends with labels that their queries keep', () => {
    for (const { targets = [] } of panels) {
      for (const { expr, legendFormat = '' } of targets) {
        const labels = [
          ...OF_PROMETHEUS,
          ...labelsIn(expr),
          ...metricsIn(expr).flatMap((name) => known.get(name) ?? []),
        ]
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(labels, legendFormat).toContain(label)
      }
    }
  })
})

test('the dashboards have ids and titles of their own, and every alert group has one', () => {
  expect(new Set(DASHBOARDS.map(({ uid }) => uid)).size).toBe(DASHBOARDS.length)
  expect(DASHBOARDS.map(({ uid }) => uid).toSorted()).toEqual(
    ['tollgate-engines', 'tollgate-money', 'tollgate-overview', 'tollgate-providers'].toSorted(),
  )
})
