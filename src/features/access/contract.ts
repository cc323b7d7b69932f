import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'
import { MAX_INVITEES } from '../../model/page/index.ts'
import { mailMessage } from '../../model/plain-text.ts'
import { distinct, email } from '../../model/text.ts'

const ownerContract = contractsOf('Access', 'owner')

export const accessRequest = component('AccessRequest', {
  id: z.string(),
  email: z.string().describe('Who asks, as they typed it.'),
  created_at: z.string(),
  decided_at: z.string().nullable(),
  decision: z.enum(['approve', 'deny']).nullable(),
})
export type AccessRequest = z.output<typeof accessRequest>

export const listAccessRequests = ownerContract({
  summary: 'List who has asked to open the page, newest first.',
  description:
    'Viewers can ask where `access` is `people` and `allow_access_requests` is true. `decision` ' +
    'is null until one was made, here or from the mail.',
  http: { method: 'GET', path: '/pages/{id}/access-requests', status: 200 },
  tools: {
    list_access_requests: {
      description: 'Lists who asked to open an invited page, and what was decided.',
    },
  },
  data: z.array(accessRequest),
  hasStrangersWords: true,
})

export const decideAccessRequest = ownerContract({
  summary: 'Approve or deny a request to open the page.',
  description:
    'Approving adds the address to `allowed_emails` and mails it the link; denying mails nobody.',
  http: { method: 'POST', path: '/pages/{id}/access-requests/{request_id}', status: 200 },
  tools: {
    decide_access_request: {
      description:
        'Lets in who asked to open a page, or does not: only as the user decided, for each ' +
        'request. Who asks is a stranger.',
    },
  },
  input: z.strictObject({ request_id: z.string(), decision: z.enum(['approve', 'deny']) }),
  data: accessRequest,
  hasStrangersWords: true,
  errors: ['request_not_found', 'too_many_invitees'],
})

export const invitePeople = ownerContract({
  summary: 'Mail invited people their link.',
  description:
    'Mails all of `allowed_emails`, or those named, in the owner’s name. Nobody else can be ' +
    'mailed. Each gets a link of their own, which confirms their address and opens the page: it ' +
    'works once, for 14 days. An address gets at most three of these mails a day for a page.',
  takesConfirmedOnly: true,
  http: { method: 'POST', path: '/pages/{id}/invitations', status: 202 },
  input: z.strictObject({
    emails: distinct(email, MAX_INVITEES)
      .optional()
      .describe('Some of `allowed_emails`; all of them if left out.'),
    message: mailMessage,
  }),
  data: component('Invitations', {
    mailed: z
      .array(z.string())
      .describe('Whose mails are on their way, or in the outbox where none are sent.'),
    not_admitted: z
      .array(z.string())
      .describe('Who was not mailed, because `access` does not let them open the page.'),
    mailed_before: z
      .array(z.string())
      .describe('Who was not mailed, having got as many of these mails today as anybody may.'),
    sends_mails: z
      .boolean()
      .describe('False: this server has no mail server yet. Hand on links of `/personal-links`.'),
  }),
  errors: ['nothing_published', 'nobody_invited'],
})
export type InviteInput = z.output<typeof invitePeople.input>
export type Invited = z.output<typeof invitePeople.output>['data']

export const listInvitations = ownerContract({
  summary: 'List when invited people and approvers were mailed.',
  description:
    'Those of `allowed_emails` and `approver_emails` who got a mail with a personal link, in the ' +
    'last three months. `GET /pages/{id}/viewers` says who has opened the page.',
  takesConfirmedOnly: true,
  http: { method: 'GET', path: '/pages/{id}/invitations', status: 200 },
  data: z.array(
    component('Invitation', {
      email: z.string(),
      mailed_at: z.string().describe('When the newest mail with a link was made.'),
      bounced_at: z
        .string()
        .nullable()
        .describe('When its mail server refused that mail, or took it at no try of three days.'),
    }),
  ),
})

/** What a personal link is for: to open the page, or to decide about it. */
export const LINK_PURPOSES = ['view', 'approve'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export const makePersonalLink = ownerContract({
  summary: 'Make a personal link to hand on.',
  description:
    'For one of `allowed_emails` or `approver_emails`, where no mail can be sent. Who uses it ' +
    'first is taken for that person, on this page alone. It works once, for 14 days, is shown ' +
    'only in this answer, and ends the link made before.',
  takesConfirmedOnly: true,
  http: { method: 'POST', path: '/pages/{id}/personal-links', status: 201 },
  input: z.strictObject({
    email: email.describe('The address of whom the link is for.'),
    purpose: z.enum(LINK_PURPOSES).describe('`approve` opens the page at its approval.'),
  }),
  data: component('PersonalLink', {
    email: z.string(),
    purpose: z.enum(LINK_PURPOSES),
    url: z.string(),
    expires_at: z.string(),
  }),
  errors: ['nothing_published', 'not_admitted'],
})
export type PersonalLink = z.output<typeof makePersonalLink.output>['data']
