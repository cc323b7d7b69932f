import { refuse } from '../errors.ts'
import type { Contract } from '../operation.ts'

type Values = Record<string, unknown>

/** What a call names its page by, and the address of the server where it gave a whole link. */
export interface PageName {
  id_or_slug: string
  origin: string | null
}

/**
 * The arguments of a tool, its page apart from the operation's own input.
 *
 * @throws Refusal `invalid_parameter`
 */
export function splitArguments({ audience }: Contract, given: Values) {
  if (audience !== 'owner') return { page: null, input: given }
  const { page_id, ...input } = given
  if (typeof page_id === 'string') return { page: pageName(page_id), input }
  const message = 'page_id: name the page by its id, its slug or its public URL.'
  throw refuse.invalid('invalid_parameter', message, { param: 'page_id' })
}

/** Of `pg_…`, `launch-plan`, or `https://pages.example.com/p/launch-plan/slides.html`. */
function pageName(page_id: string): PageName {
  const text = page_id.trim()
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null) return { id_or_slug: text, origin: null }
  const [, slug = ''] = /^\/p\/([^/]+)/.exec(url.pathname) ?? []
  return { id_or_slug: slug, origin: url.origin }
}
