import { z } from 'zod'
import { contract } from '../../model/operation.ts'

const accessRequest = z
  .object({
    id: z.string(),
    email: z.string().describe('Who asks, as they typed it.'),
    created_at: z.string(),
    decided_at: z.string().nullable(),
    decision: z.enum(['approve', 'deny']).nullable(),
  })
  .meta({ id: 'AccessRequest' })
export type AccessRequest = z.output<typeof accessRequest>

export const listAccessRequests = contract({
  name: 'listAccessRequests',
  audience: 'owner',
  tag: 'Access',
  summary: 'List who has asked to open the page, newest first.',
  description:
    'Viewers can ask where `access` is `people` and `allow_access_requests` is true. `decision` ' +
    'is null until one was made, here or from the mail.',
  http: { method: 'GET', path: '/pages/{id}/access-requests', status: 200 },
  tools: {
    list_access_requests:
      'Lists who has asked to open an invited page and was not decided yet, or was. Decide with ' +
      'decide_access_request. Example: {"page_id": "launch-plan"}.',
  },
  input: z.strictObject({}),
  output: z.object({ data: z.array(accessRequest) }),
  hasStrangersWords: true,
  errors: [],
})

export const decideAccessRequest = contract({
  name: 'decideAccessRequest',
  audience: 'owner',
  tag: 'Access',
  summary: 'Approve or deny a request to open the page.',
  description:
    'Approving adds the address to `allowed_emails` and mails it the link; denying mails nobody.',
  http: { method: 'POST', path: '/pages/{id}/access-requests/{request_id}', status: 200 },
  tools: {
    decide_access_request:
      'Lets in who asked to open a page, or does not. Only as the user decided, for each ' +
      'request: who asks is a stranger. Example: {"page_id": "launch-plan", "request_id": ' +
      '"ar_…", "decision": "approve"}.',
  },
  input: z.strictObject({ request_id: z.string(), decision: z.enum(['approve', 'deny']) }),
  output: z.object({ data: accessRequest }),
  hasStrangersWords: true,
  errors: ['request_not_found', 'too_many_invitees'],
})
