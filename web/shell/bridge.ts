import type { Frame } from './frame.ts'
import type { DocumentMessage, FrameMessage } from './frame-message.ts'

/** What the shell gives to the panel, which is a script of its own in the same document. */
export interface ShellBridge {
  /** The source token of the document that the frame shows; '' until it has reported it. */
  stamp: string
  /** Of this window's address when it was opened: `#~approval` opens that tab of the panel. */
  hash: string
  post(message: FrameMessage): void
  /** Called with every message of the framed document. */
  onMessage(listener: (message: DocumentMessage) => void): void
}

declare global {
  interface Window {
    handbillShell?: ShellBridge
  }
}

/** A field of ours that the page takes the focus from has it back sooner. */
const BACK_MS = 100

/** Offers the frame to the panel. */
export function offerBridge({ post, onMessage: listen }: Frame): void {
  let leftAt = Number.NEGATIVE_INFINITY
  /** Whether somebody writes in a field of the panel, or did a moment ago. */
  function isWriting(): boolean {
    const focused = document.activeElement?.shadowRoot?.activeElement
    return focused?.matches('input, textarea') || performance.now() - leftAt < BACK_MS
  }
  // A click in the page takes the focus for good. The page may claim one at any time.
  const onMessage: ShellBridge['onMessage'] = (listener) =>
    listen((message) => {
      if (message.type !== 'mark-click' || !isWriting()) return listener(message)
      setTimeout(() => isWriting() || listener(message), 2 * BACK_MS)
    })
  const bridge: ShellBridge = { stamp: '', hash: location.hash, post, onMessage }
  window.handbillShell = bridge
  document.addEventListener('focusout', ({ timeStamp }) => {
    leftAt = timeStamp
  })
  listen((message) => {
    if (message.type === 'location') bridge.stamp = message.stamp ?? bridge.stamp
  })
}
