import { Download } from '../../model/download.ts'
import { implement, type Operation } from '../../model/operation.ts'
import * as contracts from './contract.ts'
import type { Responses } from './responses.ts'

export function responseOperations(responses: Responses): Operation[] {
  return [
    implement(contracts.listResponses, async ({ page }, query) => {
      const answer = await responses.list(page, query)
      return answer instanceof Download ? answer : { data: answer }
    }),
    implement(contracts.deleteResponse, ({ page }, { response_id: responseId }) =>
      responses.delete(page, responseId),
    ),
  ]
}
