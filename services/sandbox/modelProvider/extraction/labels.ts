import { fold } from './foldedText.ts'
import { withoutBullet } from './sections.ts'

export type Labelled = { readonly label: string; readonly value: string }

/** Lines of the form "Label: value". The label is in folded form. */
export function labelledLines(lines: readonly string[]): Labelled[] {
  return lines.flatMap((line): Labelled[] => {
    const match =
      /^([^:@]{2,40}?)\s*:\s+(\S.*)$/.exec(withoutBullet(line)) ??
      /^((?:Tel|Tél|Fax|Mob)\.?)\s+(\S.*)$/i.exec(withoutBullet(line))
    return match ? [{ label: fold(match[1] ?? ''), value: (match[2] ?? '').trim() }] : []
  })
}

/** The value of the first line whose label is one of these. */
export function valueBehind(labelled: readonly Labelled[], labels: RegExp): string | null {
  return labelled.find(({ label }) => labels.test(label))?.value ?? null
}
