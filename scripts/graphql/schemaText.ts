export const SDL = new URL('../../contracts/graphql/schema.graphql', import.meta.url)

/** The types of the schema's scalars in TypeScript. */
export const SCALARS = {
  ID: 'string',
  DateTime: 'string',
  JSONObject: 'Readonly<Record<string, unknown>>',
  Upload: { input: 'File', output: 'never' },
}
