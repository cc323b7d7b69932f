import { z } from 'zod'
import { ANCHOR_STATES, anchorObject } from './anchor.ts'

/** `imported`: another server confirmed the address, so this one sends it no mails. */
export const AUTHOR_KINDS = ['owner', 'confirmed', 'anonymous', 'imported'] as const
export type AuthorKind = (typeof AUTHOR_KINDS)[number]

/** Why visitors' version has no place for an anchor. */
const anchorNow = z.object({
  reason: z
    .enum(['changed', 'file_gone', 'unplaced'])
    .describe(
      '`unplaced`: words that a script writes or that repeat, or a spot in a changed file.',
    ),
  quote: z.string().nullable().describe('Empty where the words were removed; cut after 200.'),
})
export type AnchorNow = z.output<typeof anchorNow>

/** The members of a comment that both the owner and viewers see. */
export const commentFields = {
  id: z.string(),
  path: z.string().describe('The deck’s file it was written on; empty on other pages.'),
  version_no: z.int().describe('The version that its author had open.'),
  body: z.string().describe('Plain text, never markup.'),
  anchor: anchorObject.nullable().describe('The passage it is about; null: the whole page.'),
  anchor_state: z
    .enum(ANCHOR_STATES)
    .nullable()
    .describe('Whether visitors’ version has that passage: never guessed.'),
  anchor_now: anchorNow
    .nullable()
    .describe('Outdated: why, and the words that stand there now where that is certain.'),
  state: z.enum(['open', 'resolved']).describe('That of a thread; a reply has its comment’s.'),
  addressed_in: z.int().nullable().describe('The version that answered it.'),
  created_at: z.string(),
  edited_at: z.string().nullable(),
}

/** How long a viewer may change or delete their own comment. */
export const EDIT_MINUTES = 15

/** In the input of a change of a page. */
export const addresses = z
  .array(z.string())
  .max(1000)
  .optional()
  .describe('Ids of comments that it answers.')
