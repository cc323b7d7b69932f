import { createBodyReader } from '../http/kit/body.ts'
import { createBodyBudgets } from '../http/kit/body-budget.ts'

/** A reader whose budget no test reaches. */
export const bodyReader = createBodyReader(createBodyBudgets(() => '203.0.113.9'))
