/** A JSON schema as received, not validated. */
export type JsonSchema = { readonly [keyword: string]: unknown }

export type NodeType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** One node of a schema with references and alternatives resolved. */
export type SchemaNode = {
  readonly type: NodeType
  readonly nullable: boolean
  readonly description: string
  readonly choices: readonly unknown[] | null
  readonly properties: readonly (readonly [string, JsonSchema])[]
  readonly required: ReadonlySet<string>
  readonly items: JsonSchema
  readonly raw: JsonSchema
}

const RESOLVE_DEPTH_MAX = 16

export function nodeOf(schema: JsonSchema, root: JsonSchema): SchemaNode {
  const { merged, nullable } = resolve(schema, root, 0)
  const types = list(merged.type).filter((type) => type !== 'null') as NodeType[]
  const choices = 'const' in merged ? [merged.const] : Array.isArray(merged.enum) ? merged.enum : null
  const properties = isSchema(merged.properties) ? Object.entries(merged.properties) : []
  return {
    type:
      types[0] ??
      (list(merged.type).includes('null') ? 'null' : null) ??
      typeByContents(merged, choices, properties.length > 0),
    nullable: nullable || list(merged.type).includes('null') || (choices?.includes(null) ?? false),
    description: typeof merged.description === 'string' ? merged.description : '',
    choices: choices?.filter((choice) => choice !== null) ?? null,
    properties: properties.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])),
    required: new Set(list(merged.required).filter((name) => typeof name === 'string')),
    items: isSchema(merged.items) ? merged.items : {},
    raw: merged,
  }
}

/** Follows `$ref`, merges `allOf`, and takes the first alternative that is not null. */
function resolve(schema: JsonSchema, root: JsonSchema, depth: number): { merged: JsonSchema; nullable: boolean } {
  if (depth > RESOLVE_DEPTH_MAX) return { merged: {}, nullable: true }
  const { $ref, anyOf, oneOf, allOf, ...rest } = schema
  const parts: JsonSchema[] = []
  let nullable = false
  if (typeof $ref === 'string') parts.push(lookUp($ref, root))
  parts.push(...list(allOf).filter(isSchema))
  const alternatives = [...list(anyOf), ...list(oneOf)].filter(isSchema)
  if (alternatives.length > 0) {
    nullable = alternatives.some(({ type }) => type === 'null')
    const chosen = alternatives.find(({ type }) => type !== 'null') ?? alternatives[0]
    if (chosen) parts.push(chosen)
  }
  let merged: JsonSchema = {}
  for (const part of parts) {
    const inner = resolve(part, root, depth + 1)
    nullable ||= inner.nullable
    merged = {
      ...merged,
      ...inner.merged,
      properties: { ...asSchema(merged.properties), ...asSchema(inner.merged.properties) },
      required: [...list(merged.required), ...list(inner.merged.required)],
    }
  }
  return { merged: { ...merged, ...rest }, nullable: nullable || rest.nullable === true }
}

function lookUp(reference: string, root: JsonSchema): JsonSchema {
  if (!reference.startsWith('#')) return {}
  let found: unknown = root
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    found = asSchema(found)[decodeURIComponent(step).replace(/~1/g, '/').replace(/~0/g, '~')]
  }
  return asSchema(found)
}

function typeByContents(schema: JsonSchema, choices: readonly unknown[] | null, hasProperties: boolean): NodeType {
  if (hasProperties && Object.keys(asSchema(schema.properties)).length > 0) return 'object'
  if (isSchema(schema.items)) return 'array'
  const sample = choices?.find((choice) => choice !== null)
  return typeof sample === 'number' ? 'number' : typeof sample === 'boolean' ? 'boolean' : 'string'
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asSchema(value: unknown): JsonSchema {
  return isSchema(value) ? value : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}
