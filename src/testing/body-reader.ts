import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBodyReader } from '../http/kit/body.ts'
import { createBodyBudgets } from '../http/kit/body-budget.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'

/** A reader whose budgets no test reaches. */
export const bodyReader = createBodyReader({
  budgets: createBodyBudgets(() => '203.0.113.9'),
  temporaryFiles: createTemporaryFiles(join(tmpdir(), 'handbill-test-bodies')),
})
