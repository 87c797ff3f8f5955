import { useMutation, useQueryClient } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import {
  InviteUserDocument,
  RemoveUserDocument,
  SetRoleDocument,
  WithdrawInvitationDocument,
} from '../../graphql/generated.ts'
import type { Role } from '../../graphql/roles.ts'

/** The mutations of a company's people. Each refetches the lists. */
export function usePeopleChanges() {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['company'] })
  const invite = useMutation({
    mutationFn: (person: { readonly email: string; readonly role: Role }) => execute(InviteUserDocument, person),
    onSuccess,
  })
  const withdraw = useMutation({ mutationFn: (id: string) => execute(WithdrawInvitationDocument, { id }), onSuccess })
  const setRole = useMutation({
    mutationFn: (change: { readonly userId: string; readonly role: Role }) => execute(SetRoleDocument, change),
    onSuccess,
  })
  const remove = useMutation({ mutationFn: (userId: string) => execute(RemoveUserDocument, { userId }), onSuccess })
  return { invite, withdraw, setRole, remove }
}
