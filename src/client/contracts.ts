import * as access from '../features/access/contract.ts'
import * as content from '../features/content/contract.ts'
import * as pages from '../features/pages/contract.ts'
import * as responses from '../features/responses/contract.ts'
import * as versions from '../features/versions/contract.ts'
import type { Contract } from '../model/operation.ts'

/** What the client can ask: every contract that these rooms declare, under its own name. */
export const FEATURES = { ...access, ...content, ...pages, ...responses, ...versions }

export function contracts(): Contract[] {
  const declared: unknown[] = Object.values(FEATURES)
  return declared.filter(isContract)
}

function isContract(declared: unknown): declared is Contract {
  return typeof declared === 'object' && declared !== null && 'http' in declared
}
