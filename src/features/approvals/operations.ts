import { Download } from '../../model/download.ts'
import { implement, type Operation } from '../../model/operation.ts'
import type { Approvals } from './approvals.ts'
import * as contracts from './contract.ts'

export function approvalOperations(approvals: Approvals): Operation[] {
  return [
    implement(contracts.getApprovals, async ({ page }) => ({
      data: await approvals.report(page),
    })),
    implement(contracts.requestApprovals, async ({ page }, input) => ({
      data: await approvals.request(page, input),
    })),
    implement(contracts.getApprovalRecord, async ({ page }) => {
      const record = await approvals.signedRecord(page)
      return new Download({
        filename: `approvals-${page.slug}.jws`,
        mime: RECORD_MIME,
        chunks: chunksOf(`${record}\n`),
      })
    }),
  ]
}

const RECORD_MIME = 'application/jose'

async function* chunksOf(text: string): AsyncIterable<string> {
  yield text
}
