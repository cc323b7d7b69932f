import type { Manifest } from '../../model/manifest.ts'
import type { Page } from '../../model/page/index.ts'
import type { PageSource, Participant } from '../../model/viewer.ts'
import type { Db } from '../../platform/db/index.ts'
import { changesBetween } from './changes.ts'
import type { ApprovalChanges, ApprovalView } from './contract.ts'
import { approvalsOff, notAnApprover } from './decisions.ts'
import type { FactsOf } from './facts.ts'
import { approverIn, viewOf } from './rules.ts'

/** A viewer whom the page's gate admits, and what that viewer has open. */
export interface ViewerSubject {
  page: Page
  participant: Participant
  source: PageSource
}

export interface ViewerOperations {
  /** What the panel shows this viewer. @throws Refusal `approvals_off` */
  view(subject: ViewerSubject): Promise<ApprovalView>
  /**
   * What has changed since the approver's newest decision.
   * @throws Refusal `approvals_off` or `not_an_approver`
   */
  changesFor(subject: ViewerSubject): Promise<ApprovalChanges>
}

export interface ViewerDeps {
  factsOf: FactsOf
  content: {
    getManifest(manifestId: string): Promise<Manifest>
    bytes(hash: string): Promise<Uint8Array>
  }
  versions: { numberOf(pageId: string, manifestId: string, db?: Db): Promise<number | null> }
}

export function createViewerOperations(deps: ViewerDeps): ViewerOperations {
  const { factsOf, content, versions } = deps

  async function openFacts(page: Page) {
    const { published, ...facts } = await factsOf(page)
    if (!facts.settings.collect_approvals || published === null) throw approvalsOff()
    return { ...facts, published }
  }

  return {
    async view({ page, participant, source }) {
      const facts = await openFacts(page)
      return viewOf(facts, {
        emails: participant.emails,
        isOwner: participant.kind === 'owner',
        isShown: source.manifestId === facts.published.manifest_id,
      })
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
      const [before, after] = await Promise.all([
        content.getManifest(newest.manifest_id),
        content.getManifest(published.manifest_id),
      ])
      return { ...numbers, ...(await changesBetween({ before, after, bytes: content.bytes })) }
    },
  }
}
