import { APP_HEADER } from '../../src/model/app-api.ts'
import { copyText } from '../copy-text.ts'
import { stored } from '../stored.ts'
import { loadWebFonts } from '../web-fonts.ts'

const TIMEOUT_MS = 20_000
const NO_ANSWER = 'No answer came. Check the connection, reload, and try again.'
const FAILED = 'The server could not publish it. Try again in a moment.'

/** The bar that the signed-in owner of a page has above it: the server writes its markup. */

/** In this tab, for all pages. */
const hiddenMark = stored('sessionStorage', 'handbill:owner-bar-hidden')
/** The id of the page that was published just before the document was loaded again. */
const publishedMark = stored('sessionStorage', 'handbill:published')
const SAID_MS = 6000

const bar = element('owner-bar')
const more = element('owner-more')
const status = element('owner-said')
const showButton = element('owner-show')
const publishButton = document.getElementById('owner-publish')
const { pageId = '', url = '', fonts = '' } = bar.dataset
let clearing: ReturnType<typeof setTimeout> | undefined
let isPublishing = false

function element(id: string): HTMLElement {
  return document.getElementById(id)!
}

/** Says it beside the buttons. An error stays until something else is said. */
function say(text: string, isError = false): void {
  clearTimeout(clearing)
  status.textContent = text
  status.toggleAttribute('data-error', isError)
  if (!isError) clearing = setTimeout(() => status.replaceChildren(), SAID_MS)
}

function setOpen(isOpen: boolean): void {
  more.setAttribute('aria-expanded', String(isOpen))
}

function setHidden(isHidden: boolean): void {
  bar.hidden = isHidden
  showButton.hidden = !isHidden
  setOpen(false)
  // The viewer of PDFs and images fits its content again.
  window.dispatchEvent(new Event('resize'))
}

async function copy(): Promise<void> {
  try {
    await copyText(url)
    say('Link copied')
  } catch {
    say(`The browser does not let us copy: ${url}`, true)
  }
  setOpen(false)
}

async function publishDraft(): Promise<void> {
  if (isPublishing) return
  isPublishing = true
  publishButton?.setAttribute('aria-disabled', 'true')
  say('Publishing…')
  clearTimeout(clearing)
  const error = await publish(pageId)
  if (error === null) {
    publishedMark.write(pageId)
    location.reload()
    return
  }
  say(error, true)
  publishButton?.removeAttribute('aria-disabled')
  isPublishing = false
}

bar.dataset.ready = ''
for (const id of ['owner-copy', 'owner-publish', 'owner-hide']) {
  document.getElementById(id)?.removeAttribute('hidden')
}
if (hiddenMark.read() !== null) setHidden(true)
if (publishedMark.read() === pageId) {
  publishedMark.write(null)
  // After the document is there: a live region is read out when it changes.
  setTimeout(() => say('Published'), 100)
}
element('owner-copy').addEventListener('click', () => void copy())
publishButton?.addEventListener('click', () => void publishDraft())
element('owner-hide').addEventListener('click', () => {
  hiddenMark.write('1')
  setHidden(true)
  showButton.focus()
})
showButton.addEventListener('click', () => {
  hiddenMark.write(null)
  setHidden(false)
  element('owner-hide').focus()
})
more.addEventListener('click', () => setOpen(more.getAttribute('aria-expanded') === 'false'))
bar.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || more.getAttribute('aria-expanded') === 'false') return
  event.stopPropagation()
  setOpen(false)
  more.focus()
})
bar.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget instanceof Node && !bar.contains(relatedTarget)) setOpen(false)
})
document.addEventListener('pointerdown', ({ target }) => {
  if (!bar.contains(target as Node)) setOpen(false)
})
// The page in its frame has the focus.
window.addEventListener('blur', () => setOpen(false))
// Without them, the frame with the page is painted earlier.
window.addEventListener('load', () => loadWebFonts(fonts), { once: true })

/** Publishes the draft of a page, as its signed-in owner. @returns why it failed, or null */
async function publish(pageId: string): Promise<string | null> {
  const answer = await fetch(`/app/api/pages/${pageId}/publish`, {
    method: 'POST',
    headers: { [APP_HEADER]: '1' },
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  if (answer === null) return NO_ANSWER
  if (answer.ok) return null
  const body = await answer.json().catch(() => null)
  const message: unknown = body?.error?.message
  return typeof message === 'string' && answer.status < 500 ? message : FAILED
}
