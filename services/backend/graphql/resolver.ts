import type { GraphQLResolveInfo } from 'graphql'
import type { GraphqlContext } from './context.ts'

/** Resolves an operation. Its result has all of its fields, so that no other type needs resolvers. */
export type Resolver<Result, Args> = (
  source: unknown,
  args: Args,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => Exclude<Result, undefined> | Promise<Exclude<Result, undefined>>

export type Subscriber<Name extends string, Result, Args> = {
  readonly subscribe: Resolver<AsyncIterable<{ readonly [key in Name]: Result }>, Args>
}
