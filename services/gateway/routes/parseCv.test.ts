import { parseRouteCases, useGateway } from '../../../test/support/gatewayRouteCases.ts'

parseRouteCases(useGateway(), '/parse/cv')
