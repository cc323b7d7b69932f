import { newKey } from '../../src/client/idempotency-key.ts'
import {
  type Area,
  DOCUMENT_MESSAGES,
  type DocumentMessage,
  type Entries,
  type FrameMessage,
  readMessage,
} from './frame-message.ts'

/** @param answerPort where the sender waits for an answer */
type FrameListener = (message: DocumentMessage, answerPort: MessagePort | undefined) => void

export type FramePort = ReturnType<typeof createFramePort>

export interface FramePortOptions {
  windowOf(): Window | null
  /** The origin of the content: 'null' in a sandbox. */
  origin: string
  /** What the page has stored. */
  entries: Record<Area, Entries>
  /** Of the page's files; none where it has an origin. */
  paths: string[]
  onConnect?(): void
}

/** Listens on the one port that the current document of a frame has sent. */
export function createFramePort({ windowOf, origin, entries, paths, onConnect }: FramePortOptions) {
  const nonce = newKey()
  let port: MessagePort | undefined
  const listeners: FrameListener[] = []

  // Each document of the frame sends a port of its own. `source` stays the same when the frame
  // goes elsewhere, so only the nonce proves that the document was given to this frame by us.
  function connect({ source, origin: senderOrigin, data, ports }: MessageEvent<unknown>): void {
    if (source === null || source !== windowOf() || senderOrigin !== origin) return
    if (readMessage(data, 'connect')?.nonce !== nonce) return
    port?.close()
    port = ports[0]
    onConnect?.()
    if (port === undefined) return
    port.onmessage = ({ data, ports: [answerPort] }: MessageEvent<unknown>) => {
      const message = readMessage(data, ...DOCUMENT_MESSAGES)
      if (message !== null) for (const listener of listeners) listener(message, answerPort)
    }
  }
  window.addEventListener('message', connect)
  const handover: FrameMessage = {
    type: 'handover',
    nonce,
    shell_origin: location.origin,
    paths,
    ...entries,
  }
  return {
    /** For the frame's `name`, before it loads. */
    name: JSON.stringify(handover),
    post: (message: FrameMessage) => port?.postMessage(message),
    onMessage: (listener: FrameListener) => void listeners.push(listener),
    close(): void {
      window.removeEventListener('message', connect)
      port?.close()
    },
  }
}
