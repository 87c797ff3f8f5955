import { describeModelHashes } from '../../test/support/databases/modelHashes.ts'
import { PROJECTIONS } from '../catalogue.ts'

describeModelHashes(PROJECTIONS)
