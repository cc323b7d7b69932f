import { newId } from '../elements.ts'
import { stored } from '../stored.ts'
import {
  type Area,
  DOCUMENT_MESSAGES,
  type DocumentMessage,
  type Entries,
  type FrameMessage,
  readMessage,
} from './frame-message.ts'

export interface Frame {
  post(message: FrameMessage): void
  /** Shows one of the page's files without adding an entry to the history. */
  show(url: string): void
  onMessage(listener: FrameListener): void
}

/** @param answerPort where the sender waits for an answer */
type FrameListener = (message: DocumentMessage, answerPort: MessagePort | undefined) => void

interface FrameOptions {
  src: string
  /** The origin of the content: 'null' in a sandbox. */
  origin: string
  entries: Record<Area, Entries>
  /** Of the page's files; none where it has an origin. */
  paths: string[]
}

/** A document that has not connected by then never will, such as one whose frame token expired. */
const CONNECT_TIMEOUT_MS = 2000

/**
 * Notices a document that does not connect. It connects before it has loaded, or soon after. What
 * loads slowly may connect long before: the time of the document before it ends then.
 */
function watchConnections(onMissing: () => void) {
  let isConnected = false
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    connected(): void {
      isConnected = true
      clearTimeout(timer)
    },
    loaded(): void {
      clearTimeout(timer)
      if (!isConnected) timer = setTimeout(onMissing, CONNECT_TIMEOUT_MS)
      isConnected = false
    },
  }
}

/** Creates the frame, and listens on the one port that its current document has sent. */
export function createFrame({ src, origin, entries, paths }: FrameOptions): Frame {
  const template = document.getElementById('frame') as HTMLTemplateElement
  const element = template.content.querySelector('iframe')!.cloneNode(true) as HTMLIFrameElement
  const nonce = newId()
  let port: MessagePort | undefined
  let listener: FrameListener = () => {}
  const connections = watchConnections(reloadOnce)

  // Each document of the frame sends a port of its own. `source` stays the same when the frame
  // goes elsewhere, so only the nonce proves that the document was given to this frame by us.
  window.addEventListener('message', ({ source, origin: senderOrigin, data, ports }) => {
    if (source !== element.contentWindow || senderOrigin !== origin) return
    if (readMessage(data, 'connect')?.nonce !== nonce) return
    port?.close()
    port = ports[0]
    connections.connected()
    focusFrame(element)
    if (port === undefined) return
    port.onmessage = ({ data, ports: [answerPort] }: MessageEvent<unknown>) => {
      const message = readMessage(data, ...DOCUMENT_MESSAGES)
      if (message !== null) listener(message, answerPort)
    }
  })
  element.addEventListener('load', () => {
    focusFrame(element)
    connections.loaded()
  })
  const handover: FrameMessage = {
    type: 'handover',
    nonce,
    shell_origin: location.origin,
    paths,
    ...entries,
  }
  element.name = JSON.stringify(handover)
  element.src = src
  template.replaceWith(element)
  return {
    post: (message) => port?.postMessage(message),
    show: (url) => element.contentWindow?.location.replace(url),
    onMessage(next) {
      listener = next
    },
  }
}

/** Keys reach the page from the start, unless somebody types into a control of the shell. */
function focusFrame(element: HTMLIFrameElement): void {
  const { activeElement } = document
  if (activeElement !== null && activeElement !== document.body && activeElement !== element) return
  element.focus()
  element.contentWindow?.focus()
}

/** The server then answers what this visitor may see now. Once, so that it cannot loop. */
export function reloadOnce(): void {
  const mark = stored('sessionStorage', `handbill:again:${location.pathname}`)
  const isFirst = mark.read() === null
  // Without storage it is unknown whether this is the first time.
  if (mark.write(isFirst ? '1' : null) && isFirst) location.reload()
}
