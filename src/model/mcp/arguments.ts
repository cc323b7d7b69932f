import { refuse } from '../errors.ts'
import type { Contract } from '../operation.ts'
import { type PageName, parsePageName } from '../page-name.ts'

type Values = Record<string, unknown>

/** Whether the tool has `if_match`: a write that is refused if the page has changed meanwhile. */
export function isConditional({ audience, http }: Contract): boolean {
  return audience === 'owner' && http.method !== 'GET'
}

/**
 * Splits the arguments of a tool into the page, `if_match` and the input of the operation.
 *
 * @throws Refusal `invalid_parameter`
 */
export function splitArguments(contract: Contract, args: Values): Split {
  if (contract.audience !== 'owner') return { page: null, ifMatch: null, input: args }
  const { page_id, ...rest } = args
  if (typeof page_id !== 'string') {
    throw invalid('page_id', 'name the page by its id, its slug or its public URL.')
  }
  const page = parsePageName(page_id)
  if (!isConditional(contract)) return { page, ifMatch: null, input: rest }
  const { if_match: ifMatch = null, ...input } = rest
  if (ifMatch === null || typeof ifMatch === 'string') return { page, ifMatch, input }
  throw invalid('if_match', 'must be the etag of an earlier result.')
}
interface Split {
  page: PageName | null
  ifMatch: string | null
  input: Values
}

function invalid(param: string, problem: string) {
  return refuse.invalid('invalid_parameter', `${param}: ${problem}`, { param })
}

/** An etag in the form of HTTP. Models often forget its quotes, or escape them twice. */
export function quoted(etag: string): string {
  return `"${unquoted(etag.trim())}"`
}
export function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}
