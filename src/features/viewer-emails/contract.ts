import { z } from 'zod'
import { CONFIRM_REASONS } from '../../model/conversation.ts'
import { limitsOf, visitorContractsOf } from '../../model/operation.ts'

const QUARTER_S = 15 * 60
const BODY = { maxBytes: 64 * 1024, tooLarge: 'This is more than an email address.' }
const panelContract = visitorContractsOf('participant', BODY)

export const mailConfirmation = panelContract({
  summary: 'Mail a link and a code that confirm an address in this browser.',
  http: { method: 'POST', path: '/~/confirm-email', status: 200 },
  limits: limitsOf('confirm-email', { address: 60, viewer: 10, windowS: QUARTER_S }),
  input: z.strictObject({ email: z.string().max(1000), reason: z.enum(CONFIRM_REASONS) }),
  data: z.object({
    email: z.string().describe('The address as it is stored.'),
    is_sent: z.boolean().describe('False: use the newest mail, there were many lately.'),
  }),
  errors: ['bad_email', 'account_address'],
})

export const confirmByCode = panelContract({
  summary: 'Confirm the address by the code of the mail.',
  http: { method: 'POST', path: '/~/confirm-code', status: 200 },
  limits: limitsOf('confirm-code', { address: 60, viewer: 20, windowS: QUARTER_S }),
  input: z.strictObject({ code: z.string().max(100) }),
  data: z.object({ email: z.string() }),
  errors: ['wrong_code', 'codes_off'],
})
