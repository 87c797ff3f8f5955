import { parseRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'

parseRouteCases(useGateway(), '/parse/jd')
