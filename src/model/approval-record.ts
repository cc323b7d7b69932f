import { z } from 'zod'
import type { Manifest } from './manifest.ts'

/** Names the format in the header of the JWS. */
export const RECORD_TYPE = 'handbill-approvals+jws'
export const RECORD_ALGORITHM = 'EdDSA'

/**
 * Whether the approver's address was proved by a mail or an account, or whether they came by a link
 * that the owner of the page handed on: then it is the owner's word that it was them.
 */
export const PROOFS = ['mail', 'owner_link'] as const
export type Proof = (typeof PROOFS)[number]
/** Decisions from before there were such links have none. */
export const proof = z.enum(PROOFS).default('mail')

const decision = z.object({
  email: z.string(),
  decision: z.enum(['approved', 'changes_requested']),
  note: z.string().nullable(),
  decided_at: z.string(),
  version_no: z.int(),
  /** The hash of the content that the decision is about. */
  manifest: z.string(),
  proof,
})

/** The payload of a signed record: what a page's approvers decided, and about which bytes. */
export const approvalRecord = z.object({
  /** The `BASE_URL` of the server that signed it. */
  iss: z.string(),
  /** When it was signed, in seconds since the epoch. */
  iat: z.int(),
  page: z.object({ id: z.string(), url: z.string(), title: z.string().nullable() }),
  /** The published content at that time. */
  content: z.object({
    version_no: z.int(),
    manifest: z.string(),
    kind: z.enum(['single', 'bundle']),
    entry: z.string(),
    file_name: z.string().nullable(),
    files: z.array(
      z.object({
        path: z.string(),
        sha256: z.string(),
        size_bytes: z.int(),
        mime: z.string(),
      }),
    ),
  }),
  /** The approvers at that time, with the newest decision of each. */
  approvers: z.array(
    z.object({
      email: z.string(),
      state: z.enum(['approved', 'changes_requested', 'waiting']),
      decision: decision.omit({ email: true }).nullable(),
    }),
  ),
  /** All decisions in their order, those of former approvers too. */
  decisions: z.array(decision),
  /** Who accepted the page's agreement, by the hash of its text or PDF; not in earlier records. */
  acceptances: z
    .array(
      z.object({
        id: z.string(),
        agreement_version: z.int(),
        sha256: z.string(),
        name: z.string(),
        email: z.string().nullable(),
        proof,
        link_id: z.string().nullable(),
        page_version: z.int().nullable(),
        accepted_at: z.string(),
      }),
    )
    .default([]),
})
export type ApprovalRecord = z.output<typeof approvalRecord>

/** The content in the form that its hash is computed from. */
export function manifestOfRecord({ content }: ApprovalRecord): Manifest {
  const { kind, entry, file_name, files } = content
  const hashed = files.map(({ sha256: hash, ...file }) => ({ ...file, hash }))
  return { kind, entry, file_name, files: hashed }
}
