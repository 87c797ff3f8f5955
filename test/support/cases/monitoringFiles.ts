import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { repository } from '../processes/npmProcess.ts'

export type Rule = {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export type Panel = {
  readonly id: number
  readonly type: string
  readonly title?: string
  readonly datasource?: { readonly uid: string }
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[]
}

export type Dashboard = {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition: string }[] }
  readonly annotations: { readonly list: readonly { readonly expr: string }[] }
}

export type ScrapeJob = { readonly job_name: string; readonly [setting: string]: unknown }
export type PrometheusConfig = { readonly scrape_configs: readonly ScrapeJob[]; readonly [part: string]: unknown }

export const PROMETHEUS_FOLDER = join(repository, 'deploy', 'prometheus')
const GRAFANA_FOLDER = join(repository, 'deploy', 'grafana')

const filesIn = (folder: string, pattern: string) =>
  globSync(pattern, { cwd: folder }).map((name) => join(folder, name))
const readYaml = (file: string): unknown => parse(readFileSync(file, 'utf8'))

/** The names of the groups: each has a file of rules and one of tests. */
export function ruleGroups(): string[] {
  return filesIn(PROMETHEUS_FOLDER, 'rules/*.yml').map((file) => basename(file, '.yml'))
}

export function rulesOf(group: string): Rule[] {
  const file = readYaml(join(PROMETHEUS_FOLDER, 'rules', `${group}.yml`)) as { groups: { rules: Rule[] }[] }
  return file.groups.flatMap(({ rules }) => rules)
}

export function prometheusConfig(): PrometheusConfig {
  return readYaml(join(PROMETHEUS_FOLDER, 'prometheus.yml')) as PrometheusConfig
}

export function dashboards(): Dashboard[] {
  return filesIn(GRAFANA_FOLDER, 'dashboards/*.json').map((file) => JSON.parse(readFileSync(file, 'utf8')) as Dashboard)
}

export function datasourceUids(): string[] {
  return filesIn(GRAFANA_FOLDER, 'provisioning/datasources/*.yml').flatMap((file) =>
    (readYaml(file) as { datasources: { uid: string }[] }).datasources.map(({ uid }) => uid),
  )
}

/** Every expression of a dashboard. */
export function expressionsOf({ panels, annotations }: Dashboard): string[] {
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  return [...expressions, ...annotations.list.map(({ expr }) => expr)]
}

/** The metrics that an expression names; labels and functions have other names. */
export function metricsIn(expression: string): string[] {
  const withoutTexts = expression.replace(/"[^"]*"/g, '""')
  const found = withoutTexts.matchAll(/(?<![\w:$])(?:tollgate[_:][\w:]+|nodejs_\w+|process_\w+|up|ALERTS)(?![\w:(=])/g)
  return [...new Set([...found].map(([name]) => name))]
}

/** The labels that an expression selects or groups by. */
export function labelsIn(expression: string): string[] {
  const grouped = [...expression.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  )
  const selected = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label)
  return [...new Set([...grouped, ...selected])]
}
