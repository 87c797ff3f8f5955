import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose tests start processes and wait for them, the slowest first. Everything else takes a second or two. */
const FOLDERS = [
  'test/hostile/',
  'test/crash/',
  'test/commands/',
  'test/engines/',
  'test/property/',
  'test/e2e/',
  'test/contract/',
]

/**
 * The file that starts last decides when the run ends, so a long one must not be left for the end while the other
 * workers idle. Vitest would order the files by their last duration, which is not known in a fresh clone.
 */
export class ProcessTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = FOLDERS.findIndex((folder) => moduleId.includes(`/${folder}`))
      return found === -1 ? FOLDERS.length : found
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
