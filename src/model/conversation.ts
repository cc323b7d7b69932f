import type { Page } from './page/index.ts'
import type { Participant } from './viewer.ts'

/** The conversations that a page can offer in the panel, in the order of the panel's tabs. */
export type ConversationId = 'comments' | 'poll' | 'approval'

/** A feature's part in the panel. `app.ts` lists all conversations. */
export interface Conversation {
  id: ConversationId
  /** Whether visitors of this page have it. A page that is not published has none. */
  isOn(page: Page): boolean
  /** The number beside its button when the page opens: one query. Null and 0 show none. */
  count(page: Page): Promise<number | null>
}

/** The panel's viewer. Only the viewer's own browser gets this. */
export type PanelViewer = Pick<Participant, 'kind' | 'emails' | 'alias'>

/**
 * The data that the server writes into the document for the panel, in the attribute `data-panel`.
 */
export interface PanelData {
  /** The path of the page's own address, without a slash at the end. */
  page_path: string
  /** For the owner alone, who calls the operations of `/app/api` with it. */
  page_id: string | null
  /** The panel's token, and the source token of the file that is shown first. */
  token: string
  stamp: string
  viewer: PanelViewer
  conversations: readonly { id: ConversationId; count: number | null }[]
  /** The address of the stylesheet of the web fonts. */
  fonts_url: string
  /** The address of the script that shows threads beside a wide page. */
  cards_url: string
  /** Whether mails go out. Without a mail server they wait for the operator. */
  sends_mails: boolean
}

/** The answer to `GET /p/{slug}/~/viewer`, which the panel sends its token to in `TOKEN_HEADER`. */
export interface ViewerRenewal {
  token: string
  viewer: PanelViewer
}
export const TOKEN_HEADER = 'x-handbill-token'

/** The reason for confirming an address, which the mail and the page that it opens state. */
export const CONFIRM_REASONS = ['comment', 'vote', 'decide'] as const
export type ConfirmReason = (typeof CONFIRM_REASONS)[number]
