import { operationsOf } from '../../model/operation.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import { accessRequestsOf, importAccessRequests } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import { agreementsOf, importAgreements, listAcceptances } from '../agreements/index.ts'
import {
  type Approvals,
  importApprovals,
  importedRecordsOf,
  listAllDecisions,
  listWholeRequests,
} from '../approvals/index.ts'
import { commentsOf, importComments } from '../comments/index.ts'
import type { Content } from '../content/index.ts'
import type { Pages } from '../pages/index.ts'
import { importPoll, pollOf } from '../polls/index.ts'
import { importResponses, responsesOf } from '../responses/index.ts'
import type { Versions } from '../versions/index.ts'
import type { Viewers } from '../viewers/index.ts'
import {
  confirmedOf,
  facetsOf,
  importConfirmed,
  importFacets,
  importViews,
  type Views,
} from '../views/index.ts'
import type { ImportedPage } from './contract.ts'
import * as contract from './contract.ts'
import { createExport } from './export.ts'
import { createImport } from './import.ts'

export type Transfer = ReturnType<typeof createTransfer>

export interface TransferDeps
  extends Pick<
    Services,
    'database' | 'clock' | 'secrets' | 'temporaryFiles' | 'threads' | 'baseUrl' | 'space'
  > {
  accounts: Accounts
  content: Content
  pages: Pages
  versions: Versions
  viewers: Viewers
  views: Views
  approvals: Approvals
}

export function createTransfer(deps: TransferDeps) {
  const { database, clock, secrets, temporaryFiles, space, threads, baseUrl } = deps
  const { accounts, content, pages, versions, views, approvals } = deps
  const { assertActive } = accounts

  async function* afterFlush<T>(rows: AsyncGenerator<T>): AsyncGenerator<T> {
    await views.flush()
    yield* rows
  }

  type List = (db: Db, parameters: [pageId: string]) => Promise<object[]>
  async function* wholeList(list: List, pageId: string): AsyncGenerator<object> {
    yield* await list(database.read, [pageId])
  }

  return {
    exportAccount: createExport({
      clock,
      baseUrl,
      assertActive,
      brandOf: accounts.archivedBrand,
      pages,
      countersOf: views.countersOf,
      versionsOf: async (pageId) => (await versions.list(pageId)).toReversed(),
      getManifest: content.getManifest,
      readFile: content.pieces,
      rowsOf: (pageId) => ({
        responses: responsesOf(database.read, pageId),
        comments: commentsOf(database.read, pageId),
        ...pollOf(secrets, database.read, pageId),
        agreements: agreementsOf(database.read, pageId),
        agreement_acceptances: wholeList(listAcceptances, pageId),
        approval_decisions: wholeList(listAllDecisions, pageId),
        approval_requests: wholeList(listWholeRequests, pageId),
        approval_records: importedRecordsOf(database.read, pageId),
        access_requests: accessRequestsOf(database.read, pageId),
        view_hours: views.hoursOf(pageId),
        view_facets: afterFlush(facetsOf(database.read, pageId)),
        confirmed_viewers: afterFlush(confirmedOf(database.read, pageId)),
      }),
      async approvalRecord(page) {
        if (page.published_id === null) return null
        const { decisions, acceptances } = await approvals.recordOf(page)
        if (decisions.length + acceptances.length === 0) return null
        const { body } = await approvals.recordFile(page)
        return body instanceof Uint8Array ? new TextDecoder().decode(body) : null
      },
    }),
    importAccount: createImport({
      assertActive,
      takeBrand: (account, brand) => accounts.takeBrand(account.id, brand, pages.announceAll),
      temporaryFiles,
      threads,
      space,
      clock,
      baseUrl,
      findSame: pages.findSame,
      importPage: (account, { page, origin, contentOf, rows }) =>
        pages.importPage(account, {
          page,
          origin,
          contentOf,
          async addRows(step, imported) {
            const { id: pageId } = imported
            const { views, max_views } = page
            const times = { now: clock.now(), nowMs: clock.ms() }
            const at = { ...times, page: imported, pageId, addStored: accounts.addStored }
            const lasts = [
              await importViews(step, at, { views, max_views, hours: rows.view_hours }),
              await importResponses(step, { account, pageId }, rows.responses),
              await importComments(step, imported, rows.comments),
            ]
            await importAgreements(step, at, rows)
            await importAccessRequests(step, imported, rows.access_requests)
            await importPoll(deps, step, imported, rows)
            await importFacets(step, at, rows.view_facets)
            await importConfirmed(step, at, rows.confirmed_viewers)
            await importApprovals(step, at, rows)
            return async (tx) => {
              for (const last of lasts) await last(tx)
            }
          },
        }),
    }),
  }
}

export function transferOperations(transfer: Transfer) {
  return operationsOf(contract, {
    exportAccount: async ({ account, context: { key } }) => transfer.exportAccount(account, key),
    importAccount: async ({ account, context: { key } }, _input, body) => {
      const pages = await transfer.importAccount(account, body, key)
      const count = (status: ImportedPage['status']) =>
        pages.filter((page) => page.status === status).length
      return {
        imported: count('imported'),
        skipped: count('skipped'),
        failed: count('failed'),
        pages,
      }
    },
  })
}
