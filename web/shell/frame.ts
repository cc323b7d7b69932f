import { stored } from '../stored.ts'
import type { Area, Entries } from './frame-message.ts'
import { createFramePort, type FramePort } from './frame-port.ts'

export interface Frame extends Pick<FramePort, 'post' | 'onMessage'> {
  /** Shows one of the page's files without adding an entry to the history. */
  show(url: string): void
}

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

export function createFrame({ src, ...options }: FrameOptions): Frame {
  const template = document.getElementById('frame') as HTMLTemplateElement
  const element = template.content.querySelector('iframe')!.cloneNode(true) as HTMLIFrameElement
  let isConnected = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const { name, post, onMessage } = createFramePort({
    ...options,
    windowOf: () => element.contentWindow,
    onConnect() {
      isConnected = true
      clearTimeout(timer)
      focusFrame(element)
    },
  })
  // A document connects before it has loaded, or soon after. What loads slowly may connect long
  // before: the time of the document before it ends then.
  element.addEventListener('load', () => {
    focusFrame(element)
    clearTimeout(timer)
    if (!isConnected) timer = setTimeout(reloadOnce, CONNECT_TIMEOUT_MS)
    isConnected = false
  })
  element.name = name
  element.src = src
  template.replaceWith(element)
  return { post, onMessage, show: (url) => element.contentWindow?.location.replace(url) }
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
