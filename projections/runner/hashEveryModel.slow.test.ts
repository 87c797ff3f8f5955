import { describeModelHashes } from '../../test/support/modelHashes.ts'
import { PROJECTIONS } from '../catalogue.ts'

describeModelHashes(PROJECTIONS)
