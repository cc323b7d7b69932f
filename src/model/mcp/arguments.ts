import { refuse } from '../errors.ts'
import type { Contract } from '../operation.ts'

type Values = Record<string, unknown>

/** What a call names its page by, and the address of the server where it gave a whole link. */
export interface PageName {
  id_or_slug: string
  origin: string | null
}

/** Whether the tool can be held to the page that its caller saw. */
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
  const { page_id, ...rest } = given
  if (typeof page_id !== 'string') {
    throw invalid('page_id', 'name the page by its id, its slug or its public URL.')
  }
  const page = pageName(page_id)
  if (!isConditional(contract)) return { page, if_match: null, input: rest }
  const { if_match = null, ...input } = rest
  if (if_match === null || typeof if_match === 'string') return { page, if_match, input }
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

/** Of `pg_…`, `launch-plan`, or `https://pages.example.com/p/launch-plan/slides.html`. */
function pageName(page_id: string): PageName {
  const text = page_id.trim()
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null) return { id_or_slug: text, origin: null }
  const [, slug = ''] = /^\/p\/([^/]+)/.exec(url.pathname) ?? []
  return { id_or_slug: slug, origin: url.origin }
}

/** An etag as HTTP writes it, and as a model can without mistakes. */
export function quoted(etag: string): string {
  return `"${unquoted(etag.trim())}"`
}
export function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}
