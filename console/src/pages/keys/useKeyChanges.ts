import { useMutation, useQueryClient } from '@tanstack/react-query'
import { execute } from '../../api/execute.ts'
import { MintKeyDocument, RevokeKeyDocument, RotateKeyDocument, UpdateKeyDocument } from '../../graphql/generated.ts'
import { draftOf, type KeyDraft, mintInput, updateInput } from './keyForm.ts'
import type { Key } from './keyWords.ts'

/** The mutations of keys. Each refetches the list. */
export function useKeyChanges() {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['company'] })
  const mint = useMutation({
    mutationFn: async (draft: KeyDraft) => (await execute(MintKeyDocument, { input: mintInput(draft) })).mintApiKey,
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ key, draft }: { readonly key: Key; readonly draft: KeyDraft }) =>
      execute(UpdateKeyDocument, { id: key.id, input: updateInput(draftOf(key), draft) }),
    onSuccess,
  })
  const rotate = useMutation({
    mutationFn: async (key: Key) => (await execute(RotateKeyDocument, { id: key.id })).rotateApiKey,
    onSuccess,
  })
  const revoke = useMutation({ mutationFn: (key: Key) => execute(RevokeKeyDocument, { id: key.id }), onSuccess })
  return { mint, update, rotate, revoke }
}
