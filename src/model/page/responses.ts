import { z } from 'zod'
import { instant } from './links.ts'

export const responseFields = {
  responses_closed_at: instant
    .nullable()
    .describe('When the page stops collecting responses; null reopens it.'),
  notify_on_response: z.boolean().describe('Email the owner each time a viewer responds.'),
}

export const responseDefaults = {
  responses_closed_at: null as string | null,
  notify_on_response: false,
}
