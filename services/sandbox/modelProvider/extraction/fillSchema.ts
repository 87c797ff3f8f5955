import { choiceFor } from './choices.ts'
import { type Fact, type Facts, type ReadText, readText } from './facts.ts'
import { fold, nameWords } from './foldedText.ts'
import { namedItems, pointsOf } from './lists.ts'
import { requestedFacts } from './requestedFacts.ts'
import { type JsonSchema, nodeOf, type SchemaNode } from './schemaNode.ts'

const DEPTH_MAX = 12
/** A schema that refers to itself grows with every level. */
const PLACES_MAX = 5_000
const TEXT_CHARS_MAX = 4_000

/**
 * A value that obeys the schema, filled from the text by rules: which fact a property asks for is told by its name and
 * description, and what the rules do not know is looked for under a label or a heading of that name.
 */
export function fillSchema(schema: JsonSchema, text: string): unknown {
  const filling = new Filling(schema, readText(text))
  return filling.whole()
}

class Filling {
  readonly #root: JsonSchema
  readonly #read: ReadText
  #placesLeft = PLACES_MAX

  constructor(root: JsonSchema, read: ReadText) {
    this.#root = root
    this.#read = read
  }

  whole(): unknown {
    const node = nodeOf(this.#root, this.#root)
    return this.#shape(node, this.#read.facts, 0) ?? this.#empty(node, 0)
  }

  /** Undefined: the text does not say. */
  #property(node: SchemaNode, name: string, scope: Facts, depth: number): unknown {
    const known = requestedFacts(name, node.description).find((concept) => isSaid(scope[concept]))
    if (known !== undefined) {
      const fact = scope[known] ?? null
      return this.#shape(node, nameLink(name, fact), depth, scope)
    }
    if (node.type === 'object') return this.#shape(node, null, depth, scope)
    // Within an entry of a list, nothing outside of the entry is about it.
    if (scope !== this.#read.facts) return undefined
    return this.#shape(node, this.#underItsName(node, name), depth, scope)
  }

  #shape(node: SchemaNode, fact: Fact, depth: number, scope: Facts = {}): unknown {
    if (depth > DEPTH_MAX || this.#placesLeft-- <= 0) return undefined
    switch (node.type) {
      case 'object':
        return this.#object(node, isFacts(fact) ? fact : fact === null ? scope : { value: fact }, depth)
      case 'array':
        return this.#array(node, fact, depth)
      case 'null':
        return null
      case 'boolean':
        return booleanOf(fact)
      case 'number':
      case 'integer':
        return numberOf(node, fact)
      default:
        return stringOf(node, fact)
    }
  }

  #object(node: SchemaNode, scope: Facts, depth: number): unknown {
    const filled: Record<string, unknown> = {}
    let said = false
    for (const [name, schema] of node.properties) {
      const child = nodeOf(schema, this.#root)
      let value = this.#property(child, name, scope, depth + 1)
      // A plain value that has to become an object goes into its first member that can hold it.
      if (value === undefined && !said && isSaid(scope.value))
        value = this.#shape(child, scope.value ?? null, depth + 1)
      said ||= value !== undefined
      if (value !== undefined) filled[name] = value
      else if (node.required.has(name)) filled[name] = this.#empty(child, depth + 1)
    }
    return said || !node.nullable ? filled : undefined
  }

  #array(node: SchemaNode, fact: Fact, depth: number): unknown {
    const list = Array.isArray(fact) ? (fact as readonly Fact[]) : fact === null ? [] : [fact]
    const item = nodeOf(node.items, this.#root)
    const filled = list
      .map((each) => this.#shape(item, each, depth + 1))
      .filter((each) => each !== undefined && each !== null)
    const most = typeof node.raw.maxItems === 'number' ? node.raw.maxItems : filled.length
    const unique =
      node.raw.uniqueItems === true ? [...new Map(filled.map((each) => [JSON.stringify(each), each])).values()] : filled
    return unique.length === 0 ? undefined : unique.slice(0, most)
  }

  /** A line with this label, or a section with this heading. */
  #underItsName(node: SchemaNode, name: string): Fact {
    const words = nameWords(name)
    const { labelled, sections, text } = this.#read
    const value = labelled.find(({ label }) => nameWords(label) === words)?.value
    if (value !== undefined) return node.type === 'array' ? namedItems([value]) : value
    const section = sections.all.find(({ heading }) => nameWords(heading) === words)
    if (section) return node.type === 'array' ? pointsOf(section.lines) : pointsOf(section.lines).join(' ') || null
    if (node.type === 'boolean') return fold(text).includes(words) ? true : null
    return null
  }

  /** What stands where nothing was found: null if it may, or else the least that the schema allows. */
  #empty(node: SchemaNode, depth: number): unknown {
    if (node.type === 'array' && !(Number(node.raw.minItems) > 0)) return []
    if (node.type === 'object' && !node.nullable && depth <= DEPTH_MAX && this.#placesLeft-- > 0) {
      const needed = node.properties.filter(([name]) => node.required.has(name))
      return Object.fromEntries(
        needed.map(([name, schema]) => [name, this.#empty(nodeOf(schema, this.#root), depth + 1)]),
      )
    }
    if (node.nullable || node.type === 'null') return null
    if (node.choices) return node.choices[0]
    switch (node.type) {
      case 'array':
        return Array.from({ length: Math.min(Number(node.raw.minItems), 10) }, () =>
          this.#empty(nodeOf(node.items, this.#root), depth + 1),
        )
      case 'boolean':
        return false
      case 'number':
      case 'integer':
        return typeof node.raw.minimum === 'number' ? node.raw.minimum : 0
      default:
        return ''
    }
  }
}

/** A property called after one site wants the link to that site. */
function nameLink(name: string, fact: Fact): Fact {
  const site = /linkedin|github|gitlab/.exec(nameWords(name))?.[0]
  if (site === undefined || !Array.isArray(fact)) return fact
  return (fact as readonly Fact[]).find((link) => String(link).includes(site)) ?? null
}

function stringOf(node: SchemaNode, fact: Fact): unknown {
  const text = textOf(fact)
  if (text === null) return undefined
  if (node.choices) return choiceFor(node.choices, text)
  const { pattern, minLength, maxLength, format } = node.raw
  const most = typeof maxLength === 'number' ? maxLength : TEXT_CHARS_MAX
  const value = text.slice(0, most)
  if (typeof minLength === 'number' && value.length < minLength) return undefined
  if (typeof pattern === 'string' && !matches(pattern, value)) return undefined
  if (format === 'date') return dateOf(value)
  return value
}

/** A whole day, where the text says less. */
function dateOf(value: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return value
  if (/^\d{4}-\d{2}$/.test(value)) return `${value}-01`
  return /^\d{4}$/.test(value) ? `${value}-01-01` : undefined
}

function numberOf(node: SchemaNode, fact: Fact): unknown {
  const value = typeof fact === 'number' ? fact : Number(/-?\d+(?:\.\d+)?/.exec(textOf(fact) ?? '')?.[0] ?? Number.NaN)
  if (!Number.isFinite(value)) return undefined
  const { minimum, maximum } = node.raw
  if ((typeof minimum === 'number' && value < minimum) || (typeof maximum === 'number' && value > maximum))
    return undefined
  if (node.choices && !node.choices.includes(value)) return undefined
  return node.type === 'integer' ? Math.round(value) : value
}

function booleanOf(fact: Fact): unknown {
  if (typeof fact === 'boolean') return fact
  const text = textOf(fact)
  return text === null ? undefined : !/^(no|none|false|nein|keine?|non|aucune?)\b/.test(fold(text))
}

/** A fact in words: of an object its name, of a list its first. */
function textOf(fact: Fact): string | null {
  if (fact === null || fact === undefined) return null
  if (Array.isArray(fact)) return textOf((fact as readonly Fact[])[0] ?? null)
  if (isFacts(fact)) return textOf(fact.name ?? fact.title ?? null)
  const text = String(fact).trim()
  return text === '' ? null : text
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}

function isFacts(fact: Fact | undefined): fact is Facts {
  return typeof fact === 'object' && fact !== null && !Array.isArray(fact)
}

function isSaid(fact: Fact | undefined): boolean {
  return fact !== undefined && fact !== null && !(Array.isArray(fact) && fact.length === 0)
}
