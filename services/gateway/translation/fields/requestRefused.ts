/** Characters of a path in a message; a caller chooses the names in it. */
const PATH_CHARS_MAX = 200

/** A request that cannot be translated. The functions that the gateway calls return it as a value. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  /** The path of the field, as the caller wrote it; null if the body itself is wrong. */
  readonly param: string | null

  constructor(param: string | null, message: string) {
    super(message)
    this.param = param
  }
}

/** The field has a wrong value: `why` goes on after its path, such as "must be a string." */
export function wrongField(at: string, why: string): RequestRefused {
  const path = shortened(at)
  return new RequestRefused(path, `'${path}' ${why}`)
}

/** The field is right, or may be, but the API of the model's provider has no form for it. */
export function notTranslated(at: string): RequestRefused {
  return wrongField(at, 'cannot be translated for this model; leave it out.')
}

/** The same for one of several values of a field. */
export function valueNotTranslated(at: string, value: unknown): RequestRefused {
  const shown = shortened(typeof value === 'string' ? JSON.stringify(value) : typeof value)
  return wrongField(at, `is ${shown}, which cannot be translated for this model; use another value or leave it out.`)
}

function shortened(path: string): string {
  return path.length > PATH_CHARS_MAX ? `${path.slice(0, PATH_CHARS_MAX)}…` : path
}
