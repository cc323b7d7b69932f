import { z } from 'zod'
import { PROOFS } from '../../model/approval-record.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { agreementSetting } from '../../model/page/index.ts'
import { nextOffset, paging } from '../../model/paging.ts'

const ownerContract = contractsOf('Access', 'owner')

export const acceptance = component('Acceptance', {
  id: z.string(),
  agreement_version: z.int().describe('The version of the agreement.'),
  sha256: z.string().describe('Of its text in UTF-8, or of its PDF.'),
  name: z.string().describe('As it was typed. Nobody has checked it.'),
  email: z.string().nullable().describe('Confirmed in that browser, where the page asks for it.'),
  proof: z
    .enum(PROOFS)
    .describe('What proves the address: a mail, or a link that the owner handed on.'),
  link_id: z.string().nullable(),
  page_version: z.int().nullable().describe('The version of the page that was published then.'),
  accepted_at: z.string(),
  imported_at: z
    .string()
    .nullable()
    .describe('When it came with an import: another server took it.'),
})
export type Acceptance = z.output<typeof acceptance>

export const listAgreements = ownerContract({
  summary: 'List who accepted the page’s agreement, newest first, and its versions.',
  description:
    'A version that the page had stays, so that it can be shown what was accepted. With ' +
    '`format=csv` a file of all acceptances is answered. The signed record of approvals has them.',
  http: { method: 'GET', path: '/pages/{id}/agreements', status: 200, also: 'text/csv' },
  input: z.strictObject({
    format: z.enum(['json', 'csv']).default('json').describe('`csv` answers a file of all.'),
    ...paging({ most: 500, usual: 100 }),
  }),
  output: z.object({
    data: z.object({
      versions: z
        .array(agreementSetting.extend({ created_at: z.string() }).meta({ id: 'AgreementVersion' }))
        .describe('Oldest first.'),
      count: z.int().describe('How many acceptances there are.'),
      acceptances: z.array(acceptance),
    }),
    next_offset: nextOffset,
  }),
  hasStrangersWords: true,
})

export const getAgreement = ownerContract({
  summary: 'Download a version of the page’s agreement: its text, or its PDF.',
  description: 'Its SHA-256 is the one in acceptances of that version and in the signed record.',
  http: { method: 'GET', path: '/pages/{id}/agreements/{version_no}', status: 200, file: true },
  input: z.strictObject({ version_no: z.int().min(1).max(2_147_483_647) }),
  errors: ['version_not_found'],
})
