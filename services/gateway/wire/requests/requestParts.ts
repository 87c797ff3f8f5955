import { isAbsent, isJsonObject } from '../../../../platform/http/body/parseJson.ts'
import { type FoundParts, fieldMeant, type RequestFields } from './inferenceRequest.ts'

/** How an API names its parts. */
export type PartRules = {
  /** Whether the caller runs the tools of this type itself. */
  isOwnTool(type: string): boolean
  isImage(part: RequestFields): boolean
  isFile(part: RequestFields): boolean
}

/** Where a value stands, and why it is refused. */
type Fault = { readonly path: string; readonly why: string }

/** They refer to data stored in the provider account, which all companies share. */
const SHARED_IDS = new Set([
  ...['file_id', 'file_ids', 'container_id', 'vector_store_ids', 'skill_id', 'cached_content'],
])
/** Objects whose `id` names something stored: the audio of an earlier answer, and a voice that was made for an account. */
const STORED_OBJECTS = new Set(['audio', 'voice'])
/** Fields of a request, in any spelling, that name something stored. Providers offer them beside the API's own. */
const STORED_FIELDS = new Set([
  ...['previousresponseid', 'conversation', 'cachedcontent', 'vectorstoreids', 'fileids', 'containerid'],
])
const STORED_FIELD_CHARS_MIN = 'file_ids'.length - 1
/** Arguments and schemas of the caller's own tools, in which any name may occur. */
const OPAQUE = new Set(['input', 'arguments', 'parameters', 'input_schema', 'output_schema', 'schema'])
/** A provider might accept them in another letter case. */
const READ = [
  ...[...SHARED_IDS, 'type', 'tools', 'container', 'audio', 'voice'],
  ...['image_url', 'file', 'file_data', 'file_url', 'input_audio', 'video_url'],
]
export const NOTHING_STORED =
  'is not accepted: nothing that is stored at a provider can be used here. Send the content itself.'

/**
 * Looks through the parts of a request of chat, Responses or Messages, which are not nested deeper than a request may be: what
 * they refer to, which tools the provider is to run, and what has more tokens than bytes.
 */
export class RequestParts {
  readonly #rules: PartRules
  readonly #hostedTools = new Set<string>()
  /** Hosted tools that stand elsewhere than in the list of tools. */
  readonly #nested = new Set<string>()
  #listed: readonly RequestFields[] = []
  #choice: RequestFields = {}
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
      droppable: this.#droppable(),
      images: this.#images,
      files: this.#files,
    }
  }

  /** Items and blocks of the conversation, in the field of this name. */
  look(name: string, value: unknown): this {
    return this.#refuse(name, this.#in(value))
  }

  /** The list of tools, and which of them the model is to use. */
  tools(name: string, value: unknown, choice: unknown): this {
    if (Array.isArray(value)) this.#listed = value
    if (isJsonObject(choice)) this.#choice = choice
    return this.#refuse(name, this.#tools(value, 'listed'))
  }

  #droppable(): (string | null)[] {
    if (this.#refused !== null || this.#hostedTools.size === this.#nested.size) return []
    const { type: chosenType, name: chosenName } = this.#choice
    return this.#listed.map(({ type, name }) => {
      if (typeof type !== 'string' || !this.#hostedTools.has(type) || this.#nested.has(type)) return null
      return type === chosenType || (name !== undefined && name === chosenName) ? null : type
    })
  }

  /** The fields of the request itself. */
  fields(fields: RequestFields): this {
    for (const name in fields) {
      if (isStoredField(name) && !isAbsent(fields[name])) this.#refuse(name, { path: '', why: NOTHING_STORED })
    }
    return this
  }

  #refuse(name: string, fault: Fault | null): this {
    if (fault !== null) this.#refused ??= `'${name}${fault.path}' ${fault.why}`
    return this
  }

  /** `owner`: the name of the member whose value this is. */
  #in(value: unknown, owner = ''): Fault | null {
    if (typeof value !== 'object' || value === null) return null
    if (Array.isArray(value)) return eachOf(value, (item) => this.#in(item, owner))
    return this.#part(value as RequestFields, owner)
  }

  #part(part: RequestFields, owner = ''): Fault | null {
    if (this.#rules.isImage(part)) this.#images++
    if (this.#rules.isFile(part)) this.#files++
    const isStored = STORED_OBJECTS.has(owner)
    for (const name of Object.keys(part)) {
      const value = part[name]
      if (isStored && name.toLowerCase() === 'id' && isNamed(value)) return { path: `.${name}`, why: NOTHING_STORED }
      const fault = this.#member(name, value)
      if (fault !== null) return { path: `.${name}${fault.path}`, why: fault.why }
    }
    return null
  }

  #member(name: string, value: unknown): Fault | null {
    const meant = fieldMeant(name, READ)
    if (meant !== null) return { path: '', why: `is '${meant}' in another case; write it exactly so.` }
    if (SHARED_IDS.has(name) && isNamed(value)) return { path: '', why: NOTHING_STORED }
    if (name === 'tools') return this.#tools(value, 'nested')
    return OPAQUE.has(name) ? null : this.#in(value, name)
  }

  #tools(value: unknown, place: 'listed' | 'nested'): Fault | null {
    if (value === undefined || value === null) return null
    if (!Array.isArray(value)) return { path: '', why: 'must be an array.' }
    return eachOf(value, (tool) => this.#tool(tool, place))
  }

  #tool(tool: unknown, place: 'listed' | 'nested'): Fault | null {
    if (typeof tool !== 'object' || tool === null || Array.isArray(tool)) return { path: '', why: 'must be an object.' }
    const { type, container } = tool as RequestFields
    if (typeof type === 'string') {
      if (!this.#rules.isOwnTool(type)) {
        this.#hostedTools.add(type)
        if (place === 'nested') this.#nested.add(type)
      }
    } else if (type !== undefined && type !== null) {
      return { path: '.type', why: 'must be a string.' }
    }
    if (typeof container === 'string') return { path: '.container', why: NOTHING_STORED }
    return this.#part(tool as RequestFields)
  }
}

export function isStoredField(name: string): boolean {
  return name.length >= STORED_FIELD_CHARS_MIN && STORED_FIELDS.has(name.toLowerCase().replaceAll('_', ''))
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

/** A provider may read the type of a part in any case. */
export function lowerCase(type: unknown): unknown {
  return typeof type === 'string' ? type.toLowerCase() : type
}
