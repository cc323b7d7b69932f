import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'
import { email } from '../../model/text.ts'

const accountContract = contractsOf('Account', 'account')

export const forgetPerson = accountContract({
  summary: 'Forget what your pages know of a person.',
  description:
    'Deletes, on all your pages, the links for this address with what is known of their ' +
    'openings, its views behind a gate, and its requests for access. The numbers of views stay. ' +
    'So do signed evidence (approvals, accepted agreements), what the person wrote (comments, ' +
    'responses, votes), and invitations: these have operations of their own. There is no undo.',
  http: { method: 'POST', path: '/people/forget', status: 200 },
  input: z.strictObject({ email: email.describe('The address of the person.') }),
  data: component('Forgotten', {
    email: z.string(),
    links: z.int().describe('How many links were deleted.'),
    viewers: z.int().describe('On how many pages it was a confirmed viewer.'),
    access_requests: z.int(),
  }),
})
export type Forgotten = z.output<typeof forgetPerson.output>['data']
