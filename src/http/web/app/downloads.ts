import type { Pages } from '../../../features/pages/index.ts'
import { ByteDownload, Download, StoredFile } from '../../../model/download.ts'
import { refuse } from '../../../model/errors.ts'
import type { Operation } from '../../../model/operation.ts'
import { callOperation } from '../../kit/call-operation.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { byteDownloadResponse, downloadResponse, fileResponse } from '../../kit/file-response.ts'
import type { ResolveSession, SessionPrincipal } from '../../kit/principal.ts'
import { redirectResponse } from './pages.ts'

export interface DownloadDeps {
  operations: Operation[]
  pages: Pages
  resolveSession: ResolveSession
  compressor: Compressor
}

/** Members of the operation's input that the address of the responses may have. */
const MEMBERS = ['explode', 'since', 'search', 'where']

/**
 * Files of operations by plain links, for the account that is signed in: the browser saves a file
 * while it arrives, shows how far it is, and can break it off. `/app/api` answers the same, but
 * only to a script, which would hold all of it in memory.
 */
export function createDownloads(deps: DownloadDeps) {
  const { operations, pages, resolveSession, compressor } = deps
  const context = { source: 'editor', hasIfMatch: false, idempotency: null }

  /** Runs `read` for the signed-in account. @throws Refusal `foreign_origin`, or that of `read` */
  async function answer(
    request: Request,
    read: (principal: SessionPrincipal) => Promise<unknown>,
  ): Promise<Response> {
    assertNotEmbedded(request)
    const session = await resolveSession(request)
    if (session === null) {
      const next = encodeURIComponent(new URL(request.url).pathname)
      return redirectResponse({ location: `/app/sign-in?next=${next}`, cookies: [] })
    }
    const result = await read(session)
    if (result instanceof Download) return downloadResponse(request, result, compressor)
    if (result instanceof ByteDownload) return byteDownloadResponse(result)
    if (result instanceof StoredFile) return fileResponse(request, result)
    throw new Error('The result is no download')
  }

  const find = (name: string) => operations.find(({ contract }) => contract.name === name)!
  const [listResponses, exportAccount] = [find('listResponses'), find('exportAccount')]
  const downloadPage = find('downloadPage')

  return {
    /** The responses of a page as CSV, for its owner. */
    responses: (id: string, request: Request) =>
      answer(request, async (session) => {
        const { account } = session
        const page = await pages.get(account, id)
        const query = [...new URL(request.url).searchParams]
        const members = Object.fromEntries(query.filter(([name]) => MEMBERS.includes(name)))
        const subject = { account, sessionId: session.session_id, page, context }
        const input = { ...members, format: 'csv' }
        return callOperation(listResponses, { subject, session, input })
      }),
    /** The content of a page, for its owner: a deck as a zip, any other page as its file. */
    content: (id: string, request: Request) =>
      answer(request, async (session) => {
        const { account } = session
        const page = await pages.get(account, id)
        const version = new URL(request.url).searchParams.get('version')
        const input = version === null ? {} : { version: Number(version) }
        const subject = { account, sessionId: session.session_id, page, context }
        return callOperation(downloadPage, { subject, session, input })
      }),
    /** The export of the account, as a zip. */
    everything: (request: Request) =>
      answer(request, (session) => {
        const subject = { account: session.account, context }
        return callOperation(exportAccount, { subject, session, input: {} })
      }),
  }
}

/**
 * Refuses requests that another site caused, since an export is expensive. Allows typed addresses.
 */
function assertNotEmbedded({ headers }: Request): void {
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (site === 'same-origin' || site === 'none') return
  throw refuse.forbidden('foreign_origin', 'Open the app, and download it from there.')
}
