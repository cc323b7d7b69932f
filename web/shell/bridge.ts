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

/** Offers the frame to the panel. */
export function offerBridge({ post, onMessage }: Frame): void {
  const bridge: ShellBridge = { stamp: '', hash: location.hash, post, onMessage }
  window.handbillShell = bridge
  onMessage((message) => {
    if (message.type === 'location') bridge.stamp = message.stamp ?? bridge.stamp
  })
}
