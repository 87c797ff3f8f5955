import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/** How many entries the lists of introspection have in this schema: all types, and the average of every other list. */
export type ListLengths = Readonly<Record<string, number>>

export function listLengths(schema: GraphQLSchema): ListLengths {
  const types = Object.values(schema.getTypeMap())
  const fields = types.flatMap((type) => ('getFields' in type ? [Object.values(type.getFields())] : []))
  const enumValues = types.flatMap((type) => ('getValues' in type ? [type.getValues()] : []))
  const args = fields.flat().map((field) => ('args' in field ? field.args : []))
  return {
    types: types.length,
    directives: schema.getDirectives().length,
    fields: average(fields),
    inputFields: average(fields),
    enumValues: average(enumValues),
    args: average(args),
  }
}

/**
 * How many fields the introspection of a valid document resolves, roughly: each field counts once for every entry of
 * the lists around it. Fragments are counted once and multiplied, so that nested spreads cost no time.
 */
export function introspectionCost(document: DocumentNode, lengths: ListLengths): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  const costs = new Map<string, number>()

  const fragmentCost = (name: string): number => {
    const known = costs.get(name)
    if (known !== undefined) return known
    costs.set(name, 0)
    const cost = selectionCost(fragments.get(name)?.selectionSet)
    costs.set(name, cost)
    return cost
  }
  const selectionCost = (set: SelectionSetNode | undefined): number => {
    let cost = 0
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FRAGMENT_SPREAD) cost += fragmentCost(node.name.value)
      else if (node.kind === Kind.INLINE_FRAGMENT) cost += selectionCost(node.selectionSet)
      else cost += 1 + (lengths[node.name.value] ?? 1) * selectionCost(node.selectionSet)
    }
    return cost
  }
  /** Introspection begins at a root field: everything else costs nothing here. */
  const rootCost = (set: SelectionSetNode | undefined, seen: ReadonlySet<string>): number => {
    let cost = 0
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.INLINE_FRAGMENT) cost += rootCost(node.selectionSet, seen)
      else if (node.kind === Kind.FIELD) cost += isIntrospection(node.name.value) ? selectionCost(node.selectionSet) : 0
      else if (!seen.has(node.name.value)) {
        cost += rootCost(fragments.get(node.name.value)?.selectionSet, new Set([...seen, node.name.value]))
      }
    }
    return cost
  }
  return document.definitions.reduce(
    (sum, node) => sum + (node.kind === Kind.OPERATION_DEFINITION ? rootCost(node.selectionSet, new Set()) : 0),
    0,
  )
}

function isIntrospection(field: string): boolean {
  return field === '__schema' || field === '__type'
}

function average(lists: readonly (readonly unknown[])[]): number {
  const entries = lists.reduce((sum, list) => sum + list.length, 0)
  return Math.max(1, Math.round(entries / Math.max(1, lists.length)))
}
