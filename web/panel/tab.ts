/**
 * The panel of a page's conversations: comments, poll, approval. It is part of our own documents
 * (the shell, and the viewer of PDFs and images), where no script of a published page can reach it.
 *
 * To add a tab:
 * 1. Declare visitor operations with `audience: 'participant'` in the feature's `contract.ts`. They
 *    receive `{page, participant, source}`; the access rule has admitted the participant.
 * 2. One of them reads the state. It takes `known`, the version of the state that the tab has, and
 *    answers `{version, state: null}` where nothing has changed, which must be cheap: an open panel
 *    asks every 4 seconds. It has `limits: null`; writes have limits.
 * 3. A write takes an id that the tab makes (`newId`), so that one which is sent again after its
 *    answer was lost is not done twice.
 * 4. Give the feature a `Conversation` and list it in `src/app.ts`: its button appears where it is
 *    on.
 * 5. Implement `Tab` in `web/panel/{id}/tab.tsx` and list it in `web/panel/main.ts`. Import types
 *    of contracts alone: zod is not for browsers.
 *
 * A tab is a component of Preact, without the layer for React, which would weigh 1.5 KB. One that
 * shows a single answer of the server begins with `createStateTab`. What lies over the page is
 * rendered into a layer. Nothing is made from HTML text. What people wrote gets `dir="auto"`. All
 * tabs together may weigh 30 KB gzipped: `web/panel/weight.test.ts` counts. What only wide windows
 * need is loaded when they need it: `web/panel/cards`.
 */
import type { ConfirmReason, ConversationId, PanelViewer } from '../../src/model/conversation.ts'
import type { createCalls } from './calls.ts'
import type { FramedPage } from './framed-page.ts'

export interface Tab {
  readonly id: ConversationId
  /** The accessible name of the button that opens it, and of the tab. */
  readonly label: string
  /** The `d` of a path in a box of 16 by 16, drawn as a line. */
  readonly icon: string
  /** Styles of its own, below the panel's, in the same shadow root. */
  readonly styles?: string
  /** Called once, when the page has loaded, before anything is shown. */
  start(context: TabContext): Mount
}

/** Fills the container, when the tab is opened for the first time. */
export type Mount = (container: HTMLElement) => void

/** What the panel offers one tab. */
export interface TabContext extends ReturnType<typeof createCalls> {
  /**
   * Asks for an address and confirms it, in a container of the tab: field `Your email`, then the
   * code, or the mail's link in another tab. Resolves with the viewer; never if it is given up.
   */
  confirmEmail(container: HTMLElement, reason: ConfirmReason): Promise<PanelViewer>
  /**
   * Runs a task again and again, the first time at once: every 4 seconds while the tab is open,
   * every minute while it is not, never while the window is hidden. It runs less often while it
   * returns that nothing has changed, and after a failure.
   */
  poll(task: () => Promise<boolean>): Poller
  frame: FramedPage
  /** The number beside the button; null and 0 show none. */
  setCount(count: number | null): void
  /** Lets screen readers say a short text. */
  announce(text: string): void
  /** Opens the panel with this tab. */
  open(): void
  isOpen(): boolean
  /** An element over the page, for what is placed by its style, also while the panel is closed. */
  createLayer(): HTMLElement
  /** The path of the page's own address: `/p/{slug}`. */
  readonly pagePath: string
  /** Whether mails of this server go out. */
  readonly sendsMails: boolean
  /** The script that shows threads as cards beside the page. */
  readonly cardsUrl: string
  /** What of the tab the address named when it was opened, such as a comment's id. */
  readonly target: string | null
  /** Null for viewers. */
  readonly pageId: string | null
}

export interface Poller {
  /** Runs the task now, such as after a write. */
  now(): void
}
