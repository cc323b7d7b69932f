import { z } from 'zod'
import { PROOFS } from '../../model/approval-record.ts'
import { component, contractsOf, limitsOf, visitorContractsOf } from '../../model/operation.ts'
import { MAX_APPROVERS } from '../../model/page/index.ts'
import { mailMessage, plainTextOf } from '../../model/plain-text.ts'
import { distinct, email } from '../../model/text.ts'
import { timeToCome } from '../../model/times.ts'
import { contentChanges } from '../content/contract.ts'

const ownerContract = contractsOf('Approvals', 'owner')

export const DECISIONS = ['approved', 'changes_requested'] as const
export type Choice = (typeof DECISIONS)[number]

const NOTE_LENGTH = 2000

const decided = {
  decision: z.enum(DECISIONS),
  note: z.string().nullable().describe('What the approver wrote with it.'),
  decided_at: z.string(),
  version_no: z.int().describe('The version that the approver decided on.'),
}

const proof = z
  .enum(PROOFS)
  .describe('`owner_link`: they came by a link that the owner handed on, not by a mail.')

const approver = component('Approver', {
  email: z.string(),
  decision: decided.decision.nullable().describe('The newest; null if there is none.'),
  note: decided.note,
  decided_at: z.string().nullable(),
  version_no: z.int().nullable().describe('The version of the decision.'),
  proof: proof.nullable(),
  is_current: z
    .boolean()
    .describe('Whether that content is the published one. If not, the approver is waited for.'),
  asked_at: z.string().nullable().describe('When the owner last asked by mail.'),
  due_at: z.string().nullable().describe('When the decision is due, as the owner asked.'),
  history: z
    .array(
      z.object({
        ...decided,
        proof,
        imported_at: z
          .string()
          .nullable()
          .describe('When it was imported; null where this server confirmed it.'),
      }),
    )
    .describe('All decisions of the approver, newest first. Imported ones do not count.'),
})
export type Approver = z.output<typeof approver>

/** The newest decision of an approver who has decided. */
export const latestDecision = component('Decision', {
  email: z.string(),
  ...decided,
  is_current: z.boolean().describe('Whether that content is the published one.'),
})
export type LatestDecision = z.output<typeof latestDecision>

const importedRecord = z
  .object({
    id: z.string(),
    issuer: z.string().describe('The server that it says has signed it.'),
    key_id: z.string().describe('The key of that server that it names.'),
    signed_at: z.string().describe('When that was.'),
    imported_at: z.string(),
  })
  .meta({ id: 'ImportedRecord', description: 'Nothing of it was checked: `handbill verify` does.' })

const approvals = z
  .object({
    collecting: z.boolean().describe('The page’s `collect_approvals`.'),
    visibility: z.enum(['owner', 'shared']).describe('The page’s `approvals_visibility`.'),
    version_no: z.int().nullable().describe('The published version; null if none is.'),
    manifest: z.string().nullable().describe('The hash of the published content.'),
    counts: z.object({
      approved: z.int(),
      changes_requested: z.int(),
      waiting: z.int().describe('Those without a decision about the published content.'),
    }),
    approvers: z.array(approver).describe('In the order of `approver_emails`.'),
    imported_records: z
      .array(importedRecord)
      .describe('Signed records of other servers that were imported with the page.'),
  })
  .meta({ id: 'Approvals', description: 'Who approved the page, who did not, and who is awaited.' })
export type Approvals = z.output<typeof approvals>

export const getApprovals = ownerContract({
  summary: 'Read who has approved the page, and who has not decided yet.',
  description:
    'A decision belongs to the content that the approver saw. After other content is published, ' +
    '`is_current` is false and the approver counts as waiting.',
  http: { method: 'GET', path: '/pages/{id}/approvals', status: 200 },
  tools: {
    get_approvals: {
      description: 'Reads who approved the page or asked for changes, and who is awaited.',
    },
  },
  data: approvals,
  hasStrangersWords: true,
})

export const requestApprovals = ownerContract({
  summary: 'Ask approvers by mail for their decision.',
  description:
    'Without `emails`, it asks everyone whose decision about the published content is missing. ' +
    'With `due_at`, it reminds three days and one day before, unless the approver has decided. A ' +
    'later request replaces the earlier one and its due date.',
  takesConfirmedOnly: true,
  http: { method: 'POST', path: '/pages/{id}/approvals/requests', status: 202 },
  tools: {
    request_approvals: {
      description:
        'Mails approvers for their decision: all awaited, or those in emails. Only if the user ' +
        'wants the mails sent. Where `sends_mails` is false, ask answers links to hand on.',
    },
  },
  input: z.strictObject({
    emails: distinct(email, MAX_APPROVERS)
      .optional()
      .describe('Some of `approver_emails`; else all awaited.'),
    message: mailMessage,
    due_at: timeToCome.nullish().describe('When the decision is due.'),
  }),
  data: component('ApprovalRequest', {
    asked: z.array(z.object({ email: z.string(), asked_at: z.string() })),
    not_admitted: z
      .array(z.string())
      .describe('Approvers who were not mailed, because `access` does not let them open it.'),
    due_at: z.string().nullable(),
    sends_mails: z
      .boolean()
      .describe('False: this server has no mail server yet. Hand on links of `/personal-links`.'),
  }),
  errors: ['approvals_off', 'nothing_published'],
})

export const getApprovalRecord = ownerContract({
  summary: 'Download the signed record of all decisions.',
  description:
    'A JWS in compact form, signed with EdDSA. The public key is at `/.well-known/jwks.json`; ' +
    '`handbill verify` checks the record and the files that it names. Its payload has the page, ' +
    'the published version with the SHA-256 of each file, and all decisions, also those of ' +
    'former approvers.',
  http: {
    method: 'GET',
    path: '/pages/{id}/approvals/record',
    status: 200,
    file: true,
  },
  errors: ['nothing_published'],
})

export const getImportedRecord = ownerContract({
  summary: 'Download a signed record that was imported with the page.',
  description:
    'The record as another server signed it, byte for byte. `imported_records` of the approvals ' +
    'names them. This server cannot say that it is genuine: `handbill verify` checks it with the ' +
    'key of the server that signed it.',
  http: {
    method: 'GET',
    path: '/pages/{id}/approvals/imported-records/{record_id}',
    status: 200,
    file: true,
  },
  input: z.strictObject({ record_id: z.string().max(100) }),
  errors: ['record_not_found'],
})

const BODY = { maxBytes: 64 * 1024, tooLarge: 'This is more than a note can hold.' }
const panelContract = visitorContractsOf('participant', BODY)

const approvalView = z.object({
  version_no: z.int().describe('The published version.'),
  is_shown: z.boolean().describe('Whether the viewer has the published content open.'),
  mine: z
    .object({
      email: z.string(),
      decision: latestDecision.omit({ email: true }).nullable(),
      due_at: z.string().nullable(),
    })
    .nullable()
    .describe('Null for a viewer without the confirmed address of an approver.'),
  others: z
    .array(latestDecision)
    .nullable()
    .describe('Decisions of the other approvers; null for a viewer who may not see them.'),
  waiting: z
    .array(z.string())
    .nullable()
    .describe('Approvers whose decision is missing; null for everyone but the owner.'),
  record_path: z.string().nullable().describe('Where the owner reads the record; else null.'),
})
export type ApprovalView = z.output<typeof approvalView>

export const readApproval = panelContract({
  summary: 'What the panel shows a viewer of the approvals.',
  http: { method: 'POST', path: '/~/approval', status: 200 },
  limits: null,
  input: z.strictObject({
    known: z.string().max(1000).nullable().describe('The version of the state that the panel has.'),
  }),
  data: z.object({
    version: z.string(),
    state: approvalView.nullable().describe('Null if it is the version that the panel has.'),
  }),
  errors: ['approvals_off'],
})
export type ApprovalState = z.output<typeof readApproval.output>['data']

export const prepareDecision = panelContract({
  summary: 'Prepare an approver’s decision, which counts once it is confirmed on our own page.',
  http: { method: 'POST', path: '/~/decisions', status: 200 },
  limits: limitsOf('decision', { address: 60, viewer: 10 }),
  input: z.strictObject({
    decision: z.enum(DECISIONS),
    note: plainTextOf(NOTE_LENGTH).nullish(),
  }),
  data: z.object({
    confirm_path: z.string().describe('Where this browser confirms it.'),
  }),
  errors: [
    'approvals_off',
    'not_an_approver',
    'page_changed',
    'too_many_decisions',
    'rate_limited',
  ],
})

/** What an approver has chosen, before it is confirmed. */
export interface Chosen {
  decision: Choice
  note: string | null
}

export const readApprovalChanges = panelContract({
  summary: 'What has changed in the page since the approver’s own decision.',
  http: { method: 'POST', path: '/~/approval-changes', status: 200 },
  limits: limitsOf('approval-changes', { address: 60, viewer: 20 }),
  input: z.strictObject({}),
  data: z.object({
    from_version_no: z.int(),
    to_version_no: z.int(),
    files: contentChanges.files
      .nullable()
      .describe('Null if the version of the decision is no longer kept.'),
    is_cut: contentChanges.is_cut,
  }),
  errors: ['approvals_off', 'not_an_approver'],
})
export type ApprovalChanges = z.output<typeof readApprovalChanges.output>['data']
