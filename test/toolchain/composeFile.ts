import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'

export type ComposeService = {
  image: string
  command?: string[]
  environment?: Record<string, string | number>
  profiles?: string[]
  volumes?: string[]
  ports?: string[]
  secrets?: string[]
  mem_limit?: string
  stop_grace_period?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number }
}

export type ComposeFile = {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
  [name: string]: unknown
}

export const repository = path.resolve(import.meta.dirname, '../..')

/** The file with its anchors and merges resolved; variables stay as they are written. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(path.join(repository, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile
}

/** The faults of a file by the Compose specification. Its schema comes with dclint, a linter of such files. */
export function schemaFaults(file: unknown): string[] {
  const folder = path.dirname(createRequire(import.meta.url).resolve('dclint/package.json'))
  // The dialect's address is one that ajv does not know; it is draft 7, which ajv takes anyway.
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(path.join(folder, 'schemas', 'compose.schema.json'), 'utf8'),
  ) as Record<string, unknown>
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
  validate(file)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Fills in variables as Compose does: with their default, or with an error if a required one is missing. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(:-|:\?)([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = variables[name]
    if (value) return value
    if (kind === ':-') return rest
    throw new Error(`required variable ${name} is missing a value: ${rest}`)
  })
}
