import type { Page } from '../../model/page/index.ts'
import type { PageSource, Participant } from '../../model/viewer.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Content } from '../content/index.ts'
import type { ApprovalChanges, ApprovalState } from './contract.ts'
import { approvalsOff, notAnApprover } from './decisions.ts'
import type { FactsOf } from './facts.ts'
import { approverIn, viewOf } from './rules.ts'
import * as store from './store.ts'

/** A viewer whom the page's gate admits, and the content that this viewer has open. */
interface ViewerSubject {
  page: Page
  participant: Participant
  source: PageSource
}

export interface ViewerOperations {
  /**
   * What the panel shows this viewer.
   *
   * @param known the version of the state that the panel has
   * @throws Refusal `approvals_off`
   */
  view(subject: ViewerSubject, known: string | null): Promise<ApprovalState>
  /**
   * What has changed since the approver's newest decision.
   * @throws Refusal `approvals_off` or `not_an_approver`
   */
  changesFor(subject: ViewerSubject): Promise<ApprovalChanges>
}

export interface ViewerDeps {
  database: Database
  factsOf: FactsOf
  content: Pick<Content, 'changesBetween'>
  versions: { numberOf(pageId: string, manifestId: string, db?: Db): Promise<number | null> }
}

export function createViewerOperations(deps: ViewerDeps): ViewerOperations {
  const { database, factsOf, content, versions } = deps

  /** Changes whenever the state may have changed, and costs one small query. */
  async function versionOf({ page, participant, source }: ViewerSubject): Promise<string> {
    const { decided_at, asked_at } = await store.findNewest(database.read, page.id)
    const { kind, emails } = participant
    const viewer = [kind, ...emails, source.manifestId]
    return sha256(JSON.stringify([page.revision, decided_at, asked_at, viewer])).slice(0, 22)
  }

  async function openFacts(page: Page) {
    const { published, ...facts } = await factsOf(page)
    if (!isOpen(page) || published === null) throw approvalsOff()
    return { ...facts, published }
  }

  return {
    async view(subject, known) {
      const { page, participant, source } = subject
      const version = await versionOf(subject)
      if (version === known && isOpen(page)) return { version, state: null }
      const facts = await openFacts(page)
      const state = viewOf(facts, {
        emails: participant.emails,
        isOwner: participant.kind === 'owner',
        isShown: source.manifestId === facts.published.manifest_id,
        recordPath: `/app/pages/${page.id}/approvals/record`,
      })
      return { version, state }
    },
    async changesFor({ page, participant }) {
      const { settings, published, decisions } = await openFacts(page)
      const own = approverIn(settings, participant.emails)
      if (own === null) throw notAnApprover()
      const newest = decisions.findLast(({ email }) => email === own)
      const numbers = {
        from_version_no: newest?.version_no ?? published.version_no,
        to_version_no: published.version_no,
      }
      if (newest === undefined || newest.manifest_id === published.manifest_id) {
        return { ...numbers, files: [], is_cut: false }
      }
      const isKept = (await versions.numberOf(page.id, newest.manifest_id)) !== null
      if (!isKept) return { ...numbers, files: null, is_cut: false }
      const { files, is_cut } = await content.changesBetween(
        newest.manifest_id,
        published.manifest_id,
      )
      return { ...numbers, files, is_cut }
    },
  }
}

function isOpen({ settings, published_id }: Page): boolean {
  return settings.collect_approvals && published_id !== null
}
