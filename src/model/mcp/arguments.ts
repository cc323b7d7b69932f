import { refuse } from '../errors.ts'
import type { Contract } from '../operation.ts'
import { type PageName, parsePageName } from '../page-name.ts'

type Values = Record<string, unknown>

/** Whether the tool takes `if_match`: a write, refused where the page changed since it was read. */
export function isConditional({ audience, http }: Contract): boolean {
  return audience === 'owner' && http.method !== 'GET'
}

/**
 * The arguments of a tool: what names its page, what that must still be, and the operation's input.
 *
 * @throws Refusal `invalid_parameter`
 */
export function splitArguments(contract: Contract, given: Values): Split {
  if (contract.audience !== 'owner') return { page: null, if_match: null, input: given }
  const { page_id: pageId, ...rest } = given
  if (typeof pageId !== 'string') {
    throw invalid('page_id', 'name the page by its id, its slug or its public URL.')
  }
  const page = parsePageName(pageId)
  if (!isConditional(contract)) return { page, if_match: null, input: rest }
  const { if_match: ifMatch = null, ...input } = rest
  if (ifMatch === null || typeof ifMatch === 'string') return { page, if_match: ifMatch, input }
  throw invalid('if_match', 'must be the etag of an earlier answer.')
}
interface Split {
  page: PageName | null
  if_match: string | null
  input: Values
}

function invalid(param: string, what: string) {
  return refuse.invalid('invalid_parameter', `${param}: ${what}`, { param })
}

/** An etag as HTTP writes it, and without the quotes that models forget or escape twice. */
export function quoted(etag: string): string {
  return `"${unquoted(etag.trim())}"`
}
export function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}
