import { isFrameMessage } from './frame-message.ts'
import type { Area, Entries, FrameMessage, Handed, Stored } from './handle-message.ts'

export interface Frame {
  element: HTMLIFrameElement
  hear(listen: Listen): void
  say(stored: Stored): void
  /** Leads the frame to one of the page's files, without a step in the history. */
  show(url: string): void
}

/** What is asked comes with a port for its answer. */
type Listen = (said: FrameMessage, answers?: MessagePort) => void

interface Given {
  src: string
  /** Of the content: 'null' in a sandbox. */
  origin: string
  entries: Record<Area, Entries>
}

/** Waits for a page that says nothing at all, such as one whose capability is over. */
const SILENCE_MS = 2000

/** The frame, and the one port to the document in it. */
export function createFrame({ src, origin, entries }: Given): Frame {
  const template = document.getElementById('frame') as HTMLTemplateElement
  const element = template.content.querySelector('iframe')!.cloneNode(true) as HTMLIFrameElement
  const handbill = randomText()
  const handed: Handed = { handbill, shell: location.origin, ...entries }
  let port: MessagePort | undefined
  let listen: Listen = () => {}
  let isMet = false

  // Another document in the frame gets a port of its own, and only if it knows the secret.
  window.addEventListener('message', ({ source, origin: from, data, ports }) => {
    if (source !== element.contentWindow || from !== origin || data?.handbill !== handbill) return
    port?.close()
    port = ports[0]
    isMet = true
    giveKeyboard(element)
    if (port === undefined) return
    port.onmessage = ({ data: said, ports: [answers] }: MessageEvent<unknown>) => {
      if (isFrameMessage(said)) listen(said, answers)
    }
  })
  element.addEventListener('load', () => {
    giveKeyboard(element)
    setTimeout(() => {
      if (!isMet) startAgain()
      isMet = false
    }, SILENCE_MS)
  })
  element.name = JSON.stringify(handed)
  element.src = src
  template.replaceWith(element)
  return {
    element,
    hear(next) {
      listen = next
    },
    say: (stored) => port?.postMessage(stored),
    show: (url) => element.contentWindow?.location.replace(url),
  }
}

/** The page's keys work at once, as in a window of its own; unless somebody is typing to us. */
function giveKeyboard(element: HTMLIFrameElement): void {
  const { activeElement } = document
  if (activeElement !== null && activeElement !== document.body && activeElement !== element) return
  element.focus()
  element.contentWindow?.focus()
}

/** The server says anew what this visitor gets; once, lest it say the same for ever. */
function startAgain(): void {
  const mark = `handbill:again:${location.pathname}`
  try {
    const isFirst = sessionStorage.getItem(mark) === null
    if (isFirst) sessionStorage.setItem(mark, '1')
    else sessionStorage.removeItem(mark)
    if (isFirst) location.reload()
  } catch {
    // Without storage there is no telling whether it is the first time.
  }
}

/** Also where there is no secure context, and so no `randomUUID`. */
function randomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
