export const SDL = new URL('../../contracts/graphql/schema.graphql', import.meta.url)

/** The types of the schema's scalars in TypeScript. */
const SCALARS = {
  ID: 'string',
  DateTime: 'string',
  JSONObject: 'Readonly<Record<string, unknown>>',
  Upload: { input: 'File', output: 'never' },
}

/** How types are generated for the backend and for the console. */
export const TYPES_CONFIG = {
  // Node and Vite strip types and do not support enums.
  enumsAsTypes: true,
  useTypeImports: true,
  skipTypename: true,
  strictScalars: true,
  scalars: SCALARS,
  immutableTypes: true,
  // The schema has them.
  disableDescriptions: true,
}
