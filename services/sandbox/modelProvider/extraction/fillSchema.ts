import { choiceFor } from './choices.ts'
import { type Fact, type Facts, type ReadText, readText } from './facts.ts'
import { fold, nameWords } from './foldedText.ts'
import { namedItems, pointsOf } from './lists.ts'
import { requestedFacts } from './requestedFacts.ts'
import { type JsonSchema, nodeOf, type SchemaNode } from './schemaNode.ts'

const DEPTH_MAX = 12
/** Bounds schemas that refer to themselves, which grow with every level. */
const PLACES_MAX = 5_000
const TEXT_CHARS_MAX = 4_000
const SAMPLE_CHARS_MAX = 1_000

/**
 * A value that is valid under the schema, filled from the text by rules. The name and description of a property decide
 * which fact it gets; a property that the rules do not know gets the text under a label or heading of its name.
 * `otherwise` is for texts that must be there although nothing is found.
 */
export function fillSchema(schema: JsonSchema, text: string, otherwise = ''): unknown {
  const filling = new Filling(schema, readText(text), otherwise)
  return filling.whole()
}

class Filling {
  readonly #root: JsonSchema
  readonly #read: ReadText
  readonly #otherwise: string
  #placesLeft = PLACES_MAX

  constructor(root: JsonSchema, read: ReadText, otherwise: string) {
    this.#otherwise = otherwise
    this.#root = root
    this.#read = read
  }

  whole(): unknown {
    const node = nodeOf(this.#root, this.#root)
    return this.#shape(node, this.#read.facts, 0) ?? this.#empty(node, 0)
  }

  /** Undefined if the text does not contain the value. */
  #property(node: SchemaNode, name: string, scope: Facts, depth: number): unknown {
    const known = requestedFacts(name, node.description).find((concept) => isFound(scope[concept]))
    if (known !== undefined) {
      const fact = scope[known] ?? null
      return this.#shape(node, nameLink(name, fact), depth, scope)
    }
    if (node.type === 'object') return this.#shape(node, null, depth, scope)
    // Facts outside of a list entry are not about that entry.
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
    let isAnyFound = false
    for (const [name, schema] of node.properties) {
      const child = nodeOf(schema, this.#root)
      let value = this.#property(child, name, scope, depth + 1)
      // A plain value where the schema wants an object goes into the first property that accepts it.
      if (value === undefined && !isAnyFound && isFound(scope.value))
        value = this.#shape(child, scope.value ?? null, depth + 1)
      isAnyFound ||= value !== undefined
      if (value !== undefined) filled[name] = value
      else if (node.required.has(name)) filled[name] = this.#empty(child, depth + 1)
    }
    return isAnyFound || !node.nullable ? filled : undefined
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

  /** The value of a line with this label, or the text of a section with this heading. */
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

  /** The value if nothing was found: null if the schema allows it, or else the smallest valid value. */
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
    const given = suggested(node)
    if (given !== undefined) return given
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
        return sampleText(node, this.#otherwise)
    }
  }
}

/** What the schema itself proposes, if it has the right type. */
function suggested({ type, raw }: SchemaNode): unknown {
  const [example] = Array.isArray(raw.examples) ? raw.examples : []
  return [raw.default, example].find((value) => {
    if (type === 'integer') return Number.isSafeInteger(value)
    return (type === 'string' || type === 'number' || type === 'boolean') && typeof value === type
  })
}

const SAMPLES: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T12:00:00Z',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A text of the format that the schema names, or of the length that it demands. */
function sampleText({ raw: { format, minLength, maxLength, pattern } }: SchemaNode, otherwise: string): string {
  if (typeof pattern === 'string') return ''
  const charsMax = typeof maxLength === 'number' ? maxLength : TEXT_CHARS_MAX
  const sample = SAMPLES[String(format)] ?? otherwise.slice(0, charsMax)
  const missing = typeof minLength === 'number' ? Math.min(minLength, SAMPLE_CHARS_MAX) - sample.length : 0
  return missing > 0 ? sample + 'x'.repeat(missing) : sample
}

/** A property named after a site (`linkedin`) gets the link to that site. */
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

/** Completes a year or month to its first day. */
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

/** A fact as text: the name of an object, the first item of a list. */
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

function isFound(fact: Fact | undefined): boolean {
  return fact !== undefined && fact !== null && !(Array.isArray(fact) && fact.length === 0)
}
