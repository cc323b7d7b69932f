import type { Pages } from '../../../features/pages/index.ts'
import { Download } from '../../../model/download.ts'
import { refuse } from '../../../model/errors.ts'
import type { Operation } from '../../../model/operation.ts'
import { callOperation } from '../../kit/call-operation.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { downloadResponse } from '../../kit/json-response.ts'
import type { ResolveSession } from '../../kit/principal.ts'
import { redirectResponse } from './page-response.ts'

export interface ResponsesFileDeps {
  operations: Operation[]
  pages: Pages
  resolveSession: ResolveSession
  compressor: Compressor
}

/** Members of the operation's input that the address may have. */
const MEMBERS = ['explode', 'since']

/**
 * The responses of a page as CSV, for its signed-in owner, by a plain link: the browser saves the
 * file while it arrives, shows how far it is, and can break it off. `/app/api` answers the same,
 * but only to a script, which would hold all of it in memory.
 */
export function createResponsesFile(deps: ResponsesFileDeps) {
  const { operations, pages, resolveSession, compressor } = deps
  const operation = operations.find(({ contract }) => contract.name === 'listResponses')!

  /** @throws Refusal `page_not_found`, `rate_limited`, `foreign_origin` … */
  return async (id: string, request: Request): Promise<Response> => {
    assertNotEmbedded(request)
    const session = await resolveSession(request)
    const { pathname, searchParams } = new URL(request.url)
    if (session === null) {
      const next = encodeURIComponent(pathname)
      return redirectResponse({ location: `/app/sign-in?next=${next}`, cookies: [] })
    }
    const { account } = session
    const page = await pages.get(account, id)
    const given = [...searchParams].filter(([name]) => MEMBERS.includes(name))
    const context = { source: 'editor', hasIfMatch: false, idempotency: null }
    const input = { ...Object.fromEntries(given), format: 'csv' }
    const result = await callOperation(operation, { account, page, context }, { input })
    if (!(result instanceof Download)) throw new Error('The responses are no download')
    return downloadResponse(request, result, compressor)
  }
}

/** Refuses what another site had the browser load: an export is work. A typed address is fine. */
function assertNotEmbedded({ headers }: Request): void {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site === 'same-origin' || site === 'none') return
  throw refuse.forbidden('foreign_origin', 'Open the responses in the app to download them.')
}
