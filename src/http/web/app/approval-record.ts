import type { Hono } from 'hono'
import recordStyle from '../../../../web/record.css' with { type: 'text' }
import type { ApprovalRecord } from '../../../model/approval-record.ts'
import { proofWords } from '../../../model/decision.ts'
import { type Html, html } from '../../../model/html.ts'
import { minuteOf } from '../../../model/page/facts.ts'
import type { Page } from '../../../model/page/index.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { fileResponse } from '../../kit/file-response.ts'
import { layoutPage, layoutPolicy } from '../../kit/layout.ts'
import type { AppContext } from './context.ts'
import { type PageContext, pageResponse } from './pages.ts'

/** The record of a page's approvals, for its signed-in owner to print or to download. */
export function approvalRecordRoutes(context: AppContext, routes: Hono): void {
  const { approvals, pages, signedIn } = context
  const path = '/pages/:id/approvals'

  /** @throws Refusal `page_not_found` */
  function ofOwner(
    request: Request,
    id: string,
    answer: (page: Page) => Response | Promise<Response>,
  ) {
    return signedIn(request, async ({ account }) => answer(await pages.get(account, id)))
  }

  routes.get(`${path}/record`, ({ req }) =>
    ofOwner(req.raw, req.param('id')!, async (page) => {
      const body = approvalRecordPage(context, await approvals.recordOf(page))
      return pageResponse(req.raw, { body, csp: RECORD_CSP })
    }),
  )
  routes.get(`${path}/record.jws`, ({ req }) =>
    ofOwner(req.raw, req.param('id')!, async (page) =>
      fileResponse(req.raw, await approvals.recordFile(page)),
    ),
  )
  // A record of another server, which was imported with the page.
  routes.get(`${path}/records/:record{[a-z0-9_]+\\.jws}`, ({ req }) =>
    ofOwner(req.raw, req.param('id')!, async (page) => {
      const recordId = req.param('record')!.slice(0, -'.jws'.length)
      return fileResponse(req.raw, await approvals.importedRecordFile(page, recordId))
    }),
  )
}

const RECORD_CSP = layoutPolicy({ style: recordStyle })

/** The record as a document to read and to print. Send it with `RECORD_CSP`. */
function approvalRecordPage({ site, assets }: PageContext, record: ApprovalRecord): string {
  const { page, content, approvers, decisions, iss: issuer, iat } = record
  const title = 'Record of approvals'
  const download = `/app/pages/${page.id}/approvals/record.jws`
  return layoutPage({
    title,
    site,
    assets,
    isWide: true,
    style: recordStyle,
    main: html`<h1>${title}</h1>
<dl class="facts">
${fact('Page', html`${page.title ?? 'Untitled page'}`)}
${fact('Address', html`<a href="${page.url}">${page.url}</a>`)}
${fact('Version', html`${content.version_no}`)}
${fact('Content', html`<code>${content.manifest}</code>`)}
${fact('Made', html`${minuteOf(new Date(iat * 1000).toISOString())} by ${issuer}`)}
</dl>
<p class="links no-print"><a href="${download}">Download the signed record</a></p>
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
  const decisionCell =
    decision === null
      ? html`–`
      : html`${STATES[decision.decision]}, version ${decision.version_no},
${minuteOf(decision.decided_at)}${proofWords(decision.proof)}`
  return [emailCell(email), html`${STATES[state]}`, decisionCell, noteCell(decision)]
}

function decisionCells(decision: Decision): Html[] {
  return [
    html`${minuteOf(decision.decided_at)}`,
    emailCell(decision.email),
    html`${STATES[decision.decision]}, version ${decision.version_no}${proofWords(decision.proof)}`,
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
  const dataCells = cells.map((cell, at) => html`<td data-column="${columns[at]!}">${cell}</td>`)
  return html`<tr>${dataCells}</tr>\n`
}
