import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Operation = {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}
export type OpenApiJson = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: object
}

/** Checks answers against an OpenAPI document. */
export class OpenApiAnswers {
  readonly #document: OpenApiJson
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(document: OpenApiJson) {
    this.#document = document
    addFormats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'document', ...document })
  }

  /** Throws if the status or the body is not documented. An undocumented path must answer 404. */
  check(method: string, path: string, status: number, body: unknown): void {
    const bare = this.#documented(path.split('?')[0] ?? path)
    const operation = this.#document.paths[bare]?.[method.toLowerCase()]
    if (!operation) {
      if (status !== 404) throw new Error(`${method} ${bare} answered ${status} and is not documented`)
      return
    }
    const content = operation.responses[String(status)]?.content?.['application/json']
    if (!content) throw new Error(`${method} ${bare} answered ${status}, which is not documented`)
    const pointer = [
      'paths',
      bare,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ]
    const reference = pointer
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const validate = this.#ajv.compile({ $ref: `document#/${reference}` })
    if (validate(body)) return
    throw new Error(`${method} ${bare} ${status}: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
  }

  /** The path as documented, with `{id}` for variable segments. */
  #documented(path: string): string {
    if (this.#document.paths[path]) return path
    const matches = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
    return Object.keys(this.#document.paths).find(matches) ?? path
  }
}
