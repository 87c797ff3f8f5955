import { useChange } from '../../api/useChange.ts'
import { UpdateProjectDocument } from '../../graphql/generated.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import type { Project } from './projectWords.ts'

/** Archives a project, or restores an archived one. */
export function ArchiveDialog({ project, onClose }: { readonly project: Project; readonly onClose: () => void }) {
  const update = useChange(UpdateProjectDocument, 'company')
  const { id, name, archived } = project
  return (
    <ConfirmDialog
      title={`${archived ? 'Restore' : 'Archive'} “${name}”?`}
      action={archived ? 'Restore' : 'Archive'}
      change={update}
      onConfirm={() => update.mutate({ id, input: { archived: !archived } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {archived
          ? 'Keys can be put into it again. Its members, limits and budget are those from before.'
          : 'No key can be put into it until it is restored. Its usage and calls stay.'}
      </p>
    </ConfirmDialog>
  )
}
