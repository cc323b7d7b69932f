import { createPublicKey } from 'node:crypto'
import type { JWK } from 'jose'
import { type ApprovalRecord, RECORD_ALGORITHM, RECORD_TYPE } from '../../model/approval-record.ts'
import { StoredFile } from '../../model/download.ts'
import type { Manifest } from '../../model/manifest.ts'
import type { Page } from '../../model/page/index.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Services } from '../../platform/services.ts'
import type { Agreements } from '../agreements/index.ts'
import type { FactsOf } from './facts.ts'
import { nothingPublished } from './requests.ts'
import { type ApprovalFacts, approvalsOf, type Decision, stateOf } from './rules.ts'

const KEY_PURPOSE = 'approval-record'

export interface RecordDeps extends Pick<Services, 'clock' | 'secrets' | 'baseUrl'> {
  content: { getManifest(manifestId: string): Promise<Manifest> }
  factsOf: FactsOf
  agreements: Pick<Agreements, 'listAcceptances'>
}

export function createRecords(deps: RecordDeps) {
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
