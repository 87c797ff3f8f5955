import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TypedDocumentString } from '../graphql/generated.ts'
import { execute } from './execute.ts'

/** A mutation that takes the variables of its operation. It then refetches the queries whose keys begin with `refetched`. */
export function useChange<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  ...refetched: readonly string[]
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => execute(document, variables),
    onSuccess: () => Promise.all(refetched.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  })
}
