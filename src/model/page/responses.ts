import { z } from 'zod'
import { instant } from './links.ts'

export const responseFields = {
  responses_closed_at: instant
    .nullable()
    .describe('When the page stops accepting responses; null reopens it.'),
  notify_on_response: z.boolean().describe('Mails the owner each response.'),
}

export const responseDefaults = {
  responses_closed_at: null as string | null,
  notify_on_response: false,
}
