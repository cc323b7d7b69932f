import type { Approvals } from '../../../features/approvals/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import type { Page } from '../../../model/page/index.ts'
import { fileResponse } from '../../kit/file-response.ts'
import type { ResolveSession } from '../../kit/principal.ts'
import { approvalRecordPage, RECORD_CSP } from './approval-record-page.ts'
import { pageResponse, redirectResponse } from './page-response.ts'
import type { PageContext } from './pages.ts'

export interface ApprovalRecordDeps {
  approvals: Approvals
  pages: Pages
  resolveSession: ResolveSession
  page: PageContext
}

/** The record of a page's approvals, for its signed-in owner to print or to download. */
export function createApprovalRecord(deps: ApprovalRecordDeps) {
  const { approvals, pages, resolveSession, page: context } = deps

  /** @returns null where nobody is signed in @throws Refusal `page_not_found` */
  async function ownPage(request: Request, id: string): Promise<Page | null> {
    const session = await resolveSession(request)
    return session && pages.get(session.account, id)
  }

  function toSignIn(request: Request): Response {
    const next = encodeURIComponent(new URL(request.url).pathname)
    return redirectResponse({ location: `/app/sign-in?next=${next}`, cookies: [] })
  }

  return {
    async show(id: string, request: Request): Promise<Response> {
      const page = await ownPage(request, id)
      if (page === null) return toSignIn(request)
      const record = await approvals.recordOf(page)
      return pageResponse(request, { body: approvalRecordPage(context, record), csp: RECORD_CSP })
    },
    async download(id: string, request: Request): Promise<Response> {
      const page = await ownPage(request, id)
      if (page === null) return toSignIn(request)
      return fileResponse(request, await approvals.recordFile(page))
    },
    /** A record of another server, which was imported with the page. */
    async downloadImported(
      { id, recordId }: { id: string; recordId: string },
      request: Request,
    ): Promise<Response> {
      const page = await ownPage(request, id)
      if (page === null) return toSignIn(request)
      return fileResponse(request, await approvals.importedRecordFile(page, recordId))
    },
  }
}
