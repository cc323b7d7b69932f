import { createPublicKey } from 'node:crypto'
import type { JWK } from 'jose'
import { type ApprovalRecord, RECORD_ALGORITHM, RECORD_TYPE } from '../../model/approval-record.ts'
import type { Conversation } from '../../model/conversation.ts'
import { StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Manifest } from '../../model/manifest.ts'
import { operationsOf, type Subjects, visitorOperationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Checks } from '../../platform/checks.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { Agreements } from '../agreements/index.ts'
import type { Content } from '../content/index.ts'
import type {
  ApprovalChanges,
  ApprovalState,
  LatestDecision,
  Approvals as Report,
} from './contract.ts'
import * as contract from './contract.ts'
import {
  approvalsOff,
  askedBy,
  createDecisions,
  createFacts,
  type DecisionDeps,
  type FactsOf,
  notAnApprover,
  placeCounting,
  type VersionNumbers,
} from './decisions.ts'
import { createRequests, nothingPublished, type RequestDeps } from './requests.ts'
import {
  type ApprovalFacts,
  approvalsOf,
  approverIn,
  type Decision,
  stateOf,
  viewOf,
} from './rules.ts'
import * as store from './store.ts'

export {
  DECIDE_IN_BROWSER,
  type PreparedDecision,
  preparedIn,
} from './decisions.ts'
export {
  approvalRequestRow,
  decisionRow,
  importApprovals,
  importedRecordsOf,
  MAX_RECORD_BYTES,
  recordRow,
} from './import-approvals.ts'
export { findDecisions, listAllDecisions, listDecisions, listWholeRequests } from './store.ts'

export type ApprovalDeps = Omit<DecisionDeps & RequestDeps & RecordDeps & ViewerDeps, 'factsOf'>

/** The sign-off of a page by the approvers that its owner named. */
export function createApprovals({ database, versions, ...others }: ApprovalDeps) {
  const deps = { ...others, database, versions, factsOf: createFacts(database, versions) }
  const decisions = createDecisions(deps)
  return {
    ...decisions,
    ...createRequests(deps),
    ...createRecords(deps),
    ...createViewerOperations(deps),
    /** The approvals as the owner reads them. */
    async report(page: Page): Promise<Report> {
      const imported = await store.listImportedRecords(database.read, [page.id])
      return { ...approvalsOf(await deps.factsOf(page)), imported_records: imported }
    },
    /**
     * A record that was imported with the page, unchanged: only the key of the server that signed
     * it verifies it.
     *
     * @throws Refusal `record_not_found`
     */
    async importedRecordFile(page: Page, id: string): Promise<StoredFile> {
      const row = await store.findImportedRecord(database.read, [page.id, id])
      if (row === undefined) {
        const message = 'No such record was imported with this page.'
        throw refuse.notFound('record_not_found', message, { param: 'record_id' })
      }
      const body = Buffer.from(`${row.record}\n`)
      const filename = `approvals-${page.slug}-imported.jws`
      return new StoredFile({ filename, mime: 'application/jose', etag: `"${sha256(body)}"`, body })
    },
    countDecisions: (pageId: string) => store.countDecisions(database.read, [pageId]),
    /** Decisions by id. @param pages the pages of these decisions */
    async readDecisions(
      db: Db,
      pages: ReadonlyMap<string, Page>,
      ids: readonly string[],
    ): Promise<Map<string, LatestDecision>> {
      const rows = await store.findDecisions(db, ids)
      return new Map(
        rows.map(({ id, page_id, manifest_id, ...decision }) => {
          const isCurrent = manifest_id === pages.get(page_id)?.published_id
          return [id, { ...decision, is_current: isCurrent }]
        }),
      )
    },
    /** Updates the inbox after the approvers have changed. Runs in that transaction. */
    async onPageChange(tx: Tx, before: Page, after: Page): Promise<void> {
      const approvers = new Set(askedBy(after))
      const isSame = new Set(askedBy(before)).symmetricDifference(approvers).size === 0
      if (isSame) return
      await decisions.lock(tx)
      await placeCounting(tx, after)
    },
  }
}
export type Approvals = ReturnType<typeof createApprovals>

/** The approval in the panel. Its button shows no number, since not every viewer may know it. */
export const approvalConversation: Conversation = {
  id: 'approval',
  isOn: ({ settings }) => settings.collect_approvals,
  count: async () => null,
}

interface ViewerDeps {
  database: Database
  factsOf: FactsOf
  content: Pick<Content, 'changesBetween'>
  versions: VersionNumbers
}

/** For a viewer whom the page's gate admits, by the content that this viewer has open. */
function createViewerOperations({ database, factsOf, content, versions }: ViewerDeps) {
  /** Changes whenever the state may have changed, and costs one small query. */
  async function versionOf({ page, participant, source }: Subjects['participant']) {
    const { decided_at, asked_at } = await store.findNewest(database.read, [page.id])
    const { kind, emails } = participant
    const viewer = [kind, ...emails, source.manifestId]
    return sha256(JSON.stringify([page.revision, decided_at, asked_at, viewer])).slice(0, 22)
  }

  async function openFacts(page: Page) {
    const { published, ...facts } = await factsOf(page)
    if (!page.settings.collect_approvals || published === null) throw approvalsOff()
    return { ...facts, published }
  }

  return {
    /**
     * What the panel shows this viewer.
     *
     * @param knownVersion the version of the state that the panel has
     * @throws Refusal `approvals_off`
     */
    async view(
      subject: Subjects['participant'],
      knownVersion: string | null,
    ): Promise<ApprovalState> {
      const { page, participant, source } = subject
      const version = await versionOf(subject)
      const isOpen = page.settings.collect_approvals && page.published_id !== null
      if (version === knownVersion && isOpen) return { version, state: null }
      const facts = await openFacts(page)
      const state = viewOf(facts, {
        emails: participant.emails,
        isOwner: participant.kind === 'owner',
        isShown: source.manifestId === facts.published.manifest_id,
        recordPath: `/app/pages/${page.id}/approvals/record`,
      })
      return { version, state }
    },
    /**
     * What has changed since the approver's newest decision.
     * @throws Refusal `approvals_off` or `not_an_approver`
     */
    async changesFor({ page, participant }: Subjects['participant']): Promise<ApprovalChanges> {
      const { settings, published, decisions } = await openFacts(page)
      const own = approverIn(settings, participant.emails)
      if (own === null) throw notAnApprover()
      const newest = decisions.findLast(({ email }) => email === own)
      const [from, to] = [newest ?? published, published]
      const numbers = { from_version_no: from.version_no, to_version_no: to.version_no }
      if (from.manifest_id === to.manifest_id) return { ...numbers, files: [], is_cut: false }
      const isKept = (await versions.numberOf(page.id, from.manifest_id)) !== null
      if (!isKept) return { ...numbers, files: null, is_cut: false }
      const { files, is_cut } = await content.changesBetween(from.manifest_id, to.manifest_id)
      return { ...numbers, files, is_cut }
    },
  }
}

/** @param checks `sendsMails` is false while the mails of this server wait in a folder */
export function approvalOperations(approvals: Approvals, checks: Pick<Checks, 'sendsMails'>) {
  return operationsOf(contract, {
    getApprovals: ({ page }) => approvals.report(page),
    requestApprovals: async ({ page }, input) => ({
      ...(await approvals.request(page, input)),
      sends_mails: checks.sendsMails,
    }),
    getApprovalRecord: ({ page }) => approvals.recordFile(page),
    getImportedRecord: ({ page }, { record_id: id }) => approvals.importedRecordFile(page, id),
  })
}

/** The visitor operations that the Approval tab of the panel calls. */
export function approvalVisitorOperations(approvals: Approvals) {
  return visitorOperationsOf(contract, {
    readApproval: (subject, { known }) => approvals.view(subject, known),
    prepareDecision: async (subject, { decision, note = null }) => ({
      confirm_path: await approvals.prepare(subject, { decision, note }),
    }),
    readApprovalChanges: approvals.changesFor,
  })
}

const KEY_PURPOSE = 'approval-record'

interface RecordDeps extends Pick<Services, 'clock' | 'secrets' | 'baseUrl'> {
  content: { getManifest(manifestId: string): Promise<Manifest> }
  factsOf: FactsOf
  agreements: Pick<Agreements, 'listAcceptances'>
}

function createRecords(deps: RecordDeps) {
  const { clock, secrets, baseUrl, content, factsOf, agreements } = deps

  async function publicKey(): Promise<JWK & { kid: string }> {
    const { calculateJwkThumbprint } = await import('jose')
    const jwk = createPublicKey(secrets.signingKey(KEY_PURPOSE)).export({ format: 'jwk' }) as JWK
    return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: RECORD_ALGORITHM, use: 'sig' }
  }

  /** What approvers decided, and who accepted the agreement. @throws Refusal `nothing_published` */
  async function recordOf(page: Page): Promise<ApprovalRecord> {
    const facts = await factsOf(page)
    const { published } = facts
    if (published === null) throw nothingPublished()
    const accepted = await agreements.listAcceptances(page.id)
    const manifest = await content.getManifest(published.manifest_id)
    return {
      iss: baseUrl,
      iat: Math.floor(clock.ms() / 1000),
      page: { id: page.id, url: `${baseUrl}/p/${page.slug}`, title: page.title },
      content: {
        version_no: published.version_no,
        manifest: published.manifest_id,
        kind: manifest.kind,
        entry: manifest.entry,
        file_name: manifest.file_name,
        files: manifest.files.map(({ path, hash, size_bytes, mime }) => ({
          path,
          sha256: hash,
          size_bytes,
          mime,
        })),
      },
      approvers: approversIn(facts),
      decisions: facts.decisions.map((each) => ({ email: each.email, ...recorded(each) })),
      // What another server took is history, as its decisions are.
      acceptances: accepted
        .filter(({ imported_at: at }) => at === null)
        .map(({ imported_at: _, ...each }) => each),
    }
  }

  return {
    recordOf,
    /** The record as a file with a JWS in compact form. */
    async recordFile(page: Page): Promise<StoredFile> {
      const record = new TextEncoder().encode(JSON.stringify(await recordOf(page)))
      const { CompactSign } = await import('jose')
      const { kid } = await publicKey()
      const jws = await new CompactSign(record)
        .setProtectedHeader({ alg: RECORD_ALGORITHM, typ: RECORD_TYPE, kid })
        .sign(secrets.signingKey(KEY_PURPOSE))
      const body = Buffer.from(`${jws}\n`)
      const filename = `approvals-${page.slug}.jws`
      return new StoredFile({ filename, mime: 'application/jose', etag: `"${sha256(body)}"`, body })
    },
    /** The public key of the records (RFC 7517). */
    publicKeys: async (): Promise<{ keys: JWK[] }> => ({ keys: [await publicKey()] }),
  }
}

function approversIn(facts: ApprovalFacts): ApprovalRecord['approvers'] {
  return approvalsOf(facts).approvers.map((approver) => {
    const { email } = approver
    const newest = facts.decisions.findLast((each) => each.email === email)
    return { email, state: stateOf(approver), decision: newest ? recorded(newest) : null }
  })
}

function recorded(decided: Decision) {
  const { decision, note, decided_at, version_no, manifest_id: manifest, proof } = decided
  return { decision, note, decided_at, version_no, manifest, proof }
}
