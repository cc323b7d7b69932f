import { keepFocus } from '../keep-focus.ts'
import { stored } from '../stored.ts'
import { createFramePort, type FramePortOptions } from './frame-port.ts'

export type Frame = ReturnType<typeof createFrame>

interface FrameOptions extends Omit<FramePortOptions, 'windowOf' | 'onConnect'> {
  src: string
}

/** A document that has not connected by then never will, such as one whose frame token expired. */
const CONNECT_TIMEOUT_MS = 2000
let timer: ReturnType<typeof setTimeout> | undefined

export function createFrame({ src, ...options }: FrameOptions) {
  const template = document.getElementById('frame') as HTMLTemplateElement
  const element = template.content.querySelector('iframe')!.cloneNode(true) as HTMLIFrameElement
  let isConnected = false
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
  keepFocus(() => element, false)
  return {
    post,
    onMessage,
    /** Shows one of the page's files without adding an entry to the history. */
    show: (url: string) => element.contentWindow?.location.replace(url),
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
  if (isFirst && isTypedInPanel()) timer = setTimeout(reloadOnce, CONNECT_TIMEOUT_MS)
  // Without storage it is unknown whether this is the first time.
  else if (mark.write(isFirst ? '1' : null) && isFirst) location.reload()
}

/** Whether a reload would lose what is typed in the panel. What the browser keeps is a default. */
function isTypedInPanel(): boolean {
  const panel = document.getElementById('conversations')?.shadowRoot
  const fields = panel?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
  return [...(fields ?? [])].some(
    (field) => field.value && (field.value !== field.defaultValue || field.matches(':focus')),
  )
}
