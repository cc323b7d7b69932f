import { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import {
  implement,
  implementVisitor,
  type Operation,
  type VisitorOperation,
} from '../../model/operation.ts'
import * as contracts from './contract.ts'
import type { Responses } from './responses.ts'

export function responseOperations(responses: Responses): Operation[] {
  return [
    implement(contracts.listResponses, async ({ page }, query) => {
      const answer = await responses.list(page, query)
      return answer instanceof Download ? answer : { data: answer }
    }),
    implement(contracts.deleteResponse, ({ page }, { response_id }) =>
      responses.delete(page, response_id),
    ),
  ]
}

export function responseVisitorOperations(responses: Responses): VisitorOperation[] {
  return [
    implementVisitor(contracts.submitResponse, async ({ page, viewer, source }, given) => {
      if (!(await responses.isCollecting(page))) {
        throw refuse.conflict('not_collecting', 'This page no longer takes answers.')
      }
      const { id, data, name = null, controls } = given
      const { pageVersion, path } = source
      const submission = { id, data, name, controls, page_version: pageVersion, path }
      return { data: await responses.submit(page, viewer, submission) }
    }),
  ]
}
