import recordStyle from '../../../../web/record.css' with { type: 'text' }
import type { Approvals } from '../../../features/approvals/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import type { ApprovalRecord } from '../../../model/approval-record.ts'
import { type Html, html } from '../../../model/html.ts'
import type { Page } from '../../../model/page/index.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { fileResponse } from '../../kit/file-response.ts'
import { layoutPage, styledPolicy } from '../../kit/layout.ts'
import type { ResolveSession } from '../../kit/principal.ts'
import { type PageContext, pageResponse, redirectResponse } from './pages.ts'

interface ApprovalRecordDeps {
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

const RECORD_CSP = styledPolicy(recordStyle)

/** The record as a document to read and to print. Send it with `RECORD_CSP`. */
function approvalRecordPage({ host, assets }: PageContext, record: ApprovalRecord): string {
  const { page, content, approvers, decisions, iss: issuer, iat } = record
  const title = 'Record of approvals'
  return layoutPage({
    title,
    host,
    assets,
    isWide: true,
    style: recordStyle,
    main: html`<h1>${title}</h1>
<dl class="facts">
${fact('Page', html`${page.title ?? 'Untitled page'}`)}
${fact('Address', html`<a href="${page.url}">${page.url}</a>`)}
${fact('Version', html`${content.version_no}`)}
${fact('Content', html`<code>${content.manifest}</code>`)}
${fact('Made', html`${timeText(new Date(iat * 1000).toISOString())} by ${issuer}`)}
</dl>
<p class="links no-print"><a href="${recordPath(page.id)}.jws">Download the signed record</a></p>
<h2>Approvers</h2>
${table('Approvers', APPROVER_COLUMNS, approvers.map(approverCells))}
<h2>All decisions</h2>
${
  decisions.length === 0
    ? html`<p class="help">There are none yet.</p>`
    : table('All decisions', DECISION_COLUMNS, decisions.map(decisionCells))
}
<h2>Files of version ${content.version_no}</h2>
${table(
  'Files',
  FILE_COLUMNS,
  content.files.map(({ path, sha256 }) => [
    html`<span class="long">${path}</span>`,
    html`<code>${sha256}</code>`,
  ]),
)}
<p class="help">The signed record has the same content. <code>handbill verify RECORD FILE</code>
checks its signature, and that a file has these bytes. The public key is at
<code>${issuer}/.well-known/jwks.json</code>.</p>`,
  })
}

export function recordPath(pageId: string): string {
  return `/app/pages/${pageId}/approvals/record`
}

const APPROVER_COLUMNS = ['Approver', 'State', 'Decision', 'Note']
const DECISION_COLUMNS = ['When', 'Approver', 'Decision', 'Note']
const FILE_COLUMNS = ['File', 'SHA-256']
const STATES = {
  approved: 'Approved',
  changes_requested: 'Changes requested',
  waiting: 'Waiting',
} as const

type Approver = ApprovalRecord['approvers'][number]
type Decision = ApprovalRecord['decisions'][number]

function approverCells({ email, state, decision }: Approver): Html[] {
  const decided =
    decision === null
      ? html`–`
      : html`${STATES[decision.decision]}, version ${decision.version_no},
${timeText(decision.decided_at)}`
  return [emailCell(email), html`${STATES[state]}`, decided, noteCell(decision)]
}

function decisionCells(decision: Decision): Html[] {
  return [
    html`${timeText(decision.decided_at)}`,
    emailCell(decision.email),
    html`${STATES[decision.decision]}, version ${decision.version_no}`,
    noteCell(decision),
  ]
}

function emailCell(email: string): Html {
  return html`<span class="long">${displayEmail(email)}</span>`
}

function noteCell(decision: { note: string | null } | null): Html {
  return html`<span class="note" dir="auto">${decision?.note ?? '–'}</span>`
}

function fact(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

/** Each cell names its column, for narrow screens, where the rows become cards. */
function table(name: string, columns: readonly string[], rows: readonly Html[][]): Html {
  return html`<table class="record" aria-label="${name}">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => tableRow(columns, cells))}</tbody></table>`
}

function tableRow(columns: readonly string[], cells: readonly Html[]): Html {
  const named = cells.map((cell, at) => html`<td data-column="${columns[at]!}">${cell}</td>`)
  return html`<tr>${named}</tr>\n`
}

function timeText(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`
}
