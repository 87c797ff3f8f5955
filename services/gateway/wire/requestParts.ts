import { type FoundParts, fieldMeant, type RequestFields } from './inferenceRequest.ts'

/** How one of the two APIs names its parts. */
export type PartRules = {
  /** Whether the caller runs the tools of this type itself. */
  isOwnTool(type: string): boolean
  isImage(part: RequestFields): boolean
  isFile(part: RequestFields): boolean
}

/** Where a value stands, and why it is refused. */
type Fault = { readonly path: string; readonly why: string }

/** They name what is stored in the account at the provider, which all companies share. */
const SHARED_IDS = ['file_id', 'file_ids', 'container_id', 'vector_store_ids', 'skill_id']
/** Arguments and schemas of the caller's own tools, in which any name may occur. */
const OPAQUE = new Set(['input', 'arguments', 'parameters', 'input_schema', 'output_schema', 'schema'])
/** A provider might read them in another case. */
const READ = [...SHARED_IDS, 'type', 'tools', 'container']
export const NOTHING_STORED =
  'is not accepted: nothing that is stored at a provider can be used here. Send the content itself.'

/**
 * Looks through the parts of a request of Responses or Messages, which are not nested deeper than a request may be: what
 * they refer to, which tools the provider is to run, and what has more tokens than bytes.
 */
export class RequestParts {
  readonly #rules: PartRules
  readonly #hostedTools = new Set<string>()
  #images = 0
  #files = 0
  #refused: string | null = null

  constructor(rules: PartRules) {
    this.#rules = rules
  }

  get found(): FoundParts {
    return {
      refused: this.#refused,
      hostedTools: [...this.#hostedTools],
      images: this.#images,
      files: this.#files,
    }
  }

  /** Items and blocks of the conversation, in the field of this name. */
  look(name: string, value: unknown): this {
    return this.#refuse(name, this.#in(value))
  }

  tools(name: string, value: unknown): this {
    return this.#refuse(name, this.#tools(value))
  }

  #refuse(name: string, fault: Fault | null): this {
    if (fault !== null) this.#refused ??= `'${name}${fault.path}' ${fault.why}`
    return this
  }

  #in(value: unknown): Fault | null {
    if (typeof value !== 'object' || value === null) return null
    return Array.isArray(value) ? eachOf(value, (item) => this.#in(item)) : this.#part(value as RequestFields)
  }

  #part(part: RequestFields): Fault | null {
    if (this.#rules.isImage(part)) this.#images++
    if (this.#rules.isFile(part)) this.#files++
    for (const name of Object.keys(part)) {
      const fault = this.#member(name, part[name])
      if (fault !== null) return { path: `.${name}${fault.path}`, why: fault.why }
    }
    return null
  }

  #member(name: string, value: unknown): Fault | null {
    const meant = fieldMeant(name, READ)
    if (meant !== null) return { path: '', why: `is '${meant}' in another case; write it exactly so.` }
    if (SHARED_IDS.includes(name) && isNamed(value)) return { path: '', why: NOTHING_STORED }
    if (name === 'tools') return this.#tools(value)
    return OPAQUE.has(name) ? null : this.#in(value)
  }

  #tools(value: unknown): Fault | null {
    if (value === undefined || value === null) return null
    return Array.isArray(value) ? eachOf(value, (tool) => this.#tool(tool)) : { path: '', why: 'must be an array.' }
  }

  #tool(tool: unknown): Fault | null {
    if (typeof tool !== 'object' || tool === null || Array.isArray(tool)) return { path: '', why: 'must be an object.' }
    const { type, container } = tool as RequestFields
    if (typeof type === 'string') {
      if (!this.#rules.isOwnTool(type)) this.#hostedTools.add(type)
    } else if (type !== undefined && type !== null) {
      return { path: '.type', why: 'must be a string.' }
    }
    if (typeof container === 'string') return { path: '.container', why: NOTHING_STORED }
    return this.#part(tool as RequestFields)
  }
}

function eachOf(items: readonly unknown[], look: (item: unknown) => Fault | null): Fault | null {
  for (let position = 0; position < items.length; position++) {
    const fault = look(items[position])
    if (fault !== null) return { path: `[${position}]${fault.path}`, why: fault.why }
  }
  return null
}

function isNamed(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && typeof value !== 'object'
}
