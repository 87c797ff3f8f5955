import type { GeneratorQuery } from '../../graphql/generated.ts'
import { type Change, ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { paceWords } from './operationsWords.ts'

type Props = {
  readonly figures: GeneratorQuery['generator']['figures']
  readonly change: Change
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Says what the generator spends before it starts. */
export function StartGeneratorDialog({ figures, ...dialog }: Props) {
  return (
    <ConfirmDialog title="Start the generator of match scores?" action="Start it" {...dialog}>
      <p>
        It scores every pair of an active job and a talent that is new or has changed, in all companies. For each pair
        that its rules leave open, it calls a model.{' '}
        <strong>This installation pays the providers for these calls; no company is charged.</strong>
      </p>
      <p>{paceWords(figures)} You can stop it at any time; it then ends after its current batch.</p>
    </ConfirmDialog>
  )
}
