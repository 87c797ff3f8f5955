import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that start processes and wait for them, the longest first; everything else is over in a second or two. */
const LONG = ['test/commands/', 'test/crash/', 'test/engines/', 'test/e2e/', 'test/property/', 'test/contract/']

/**
 * The last file to begin decides when the run ends: a long one must not be left for the end, while other workers idle.
 * What earlier runs took, by which vitest would order them, is not known in a fresh clone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((folder) => moduleId.includes(`/${folder}`))
      return found === -1 ? LONG.length : found
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
