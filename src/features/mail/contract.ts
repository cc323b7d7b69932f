import { z } from 'zod'
import { contractsOf } from '../../model/operation.ts'
import { nextOffset, paging } from '../../model/paging.ts'

const operatorContract = contractsOf('Operator', 'operator')
const STATES = ['waiting', 'retrying', 'failed', 'sent'] as const

const mail = z
  .object({
    id: z.string(),
    to: z.string().nullable().describe('Null once a mail about a vote was sent.'),
    subject: z.string(),
    state: z
      .enum(STATES)
      .describe('`retrying`: it failed and is tried again. `failed`: it was given up.'),
    attempts: z.int(),
    last_error: z.string().nullable().describe('What the mail server said.'),
    next_attempt_at: z.string().nullable(),
    created_at: z.string(),
    sent_at: z.string().nullable(),
  })
  .meta({ id: 'Mail', description: 'A mail of this server, without its text.' })

export type MailSummary = z.output<typeof mail>

export const listMails = operatorContract({
  summary: 'List the mails of this server.',
  description:
    'The newest first. `sends_mails` is false while no `SMTP_URL` is set: nobody gets them then, ' +
    'and you read them here and pass them on.',
  http: { method: 'GET', path: '/operator/mails', status: 200 },
  input: z.strictObject({
    state: z.enum(STATES).optional(),
    ...paging({ most: 100, usual: 50 }),
  }),
  output: z.object({
    data: z.array(mail),
    next_offset: nextOffset,
    sends_mails: z.boolean(),
  }),
})

export const readMail = operatorContract({
  summary: 'Read a mail as text.',
  description:
    'Mails hold one-time links, which act for their recipient: pass a link on to nobody else. ' +
    'The text of a mail that a mail server took is erased.',
  http: { method: 'GET', path: '/operator/mails/{mail_id}', status: 200 },
  needsRecentSignIn: () => true,
  input: z.strictObject({ mail_id: z.string().max(100).describe('The id of the mail.') }),
  data: z.object({
    ...mail.shape,
    text: z.string().nullable().describe('null where it was delivered, and so erased.'),
  }),
  errors: ['mail_not_found'],
})

export const retryMail = operatorContract({
  summary: 'Try a mail again now.',
  description: 'For one that failed, once its cause is mended, or one that waits for its next try.',
  http: { method: 'POST', path: '/operator/mails/{mail_id}/retry', status: 202 },
  input: z.strictObject({ mail_id: z.string().max(100).describe('The id of the mail.') }),
  data: mail,
  errors: ['mail_not_found', 'mail_sent'],
})
