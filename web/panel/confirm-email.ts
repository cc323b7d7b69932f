import type { ConfirmReason, PanelViewer } from '../../src/model/conversation.ts'
import type { Calls } from './calls.ts'
import { field, fill, h } from './elements.ts'
import type { ViewerState } from './tab.ts'

/** How often to ask whether the link of the mail was opened in another tab. */
const ASK_MS = 4000
/** As long as the mail's link works. */
const ASK_FOR_MS = 15 * 60_000
const SENT = 'We sent a mail to '
const SENT_BEFORE = 'Many mails went out lately. Use the newest one to '

export interface ConfirmEmailOptions {
  container: HTMLElement
  reason: ConfirmReason
  calls: Calls
  viewer: ViewerState
  announce(text: string): void
}

/** Asks for an address, and then for the code that was mailed to it or for its link. */
export function confirmEmail(options: ConfirmEmailOptions): Promise<PanelViewer> {
  const { container, reason, calls, viewer, announce } = options
  const startedMs = Date.now()

  return new Promise((resolve) => {
    function finish(address: string): boolean {
      if (!container.isConnected || !viewer.current.emails.includes(address)) return false
      fill(container)
      announce(`${address} is confirmed`)
      resolve(viewer.current)
      return true
    }

    function showAddress(typed = '', error = ''): void {
      const input = h('input', {
        ...{ type: 'email', name: 'email', autocomplete: 'email', required: true },
        ...{ maxlength: 320, value: typed },
      })
      const submit = async () => {
        if (finish(input.value.trim().toLowerCase())) return
        const answer = await calls.call('/~/confirm-email', { email: input.value, reason })
        const { email, is_sent: isSent } = answer as { email: string; is_sent: boolean }
        showCode(email, isSent)
      }
      show(
        form(error, submit, [
          field('Your email', input),
          h('p', { class: 'hint' }, 'We mail you a link and a code to confirm it.'),
          h('button', { class: 'button' }, 'Send the mail'),
        ]),
      )
      input.focus()
    }

    function showCode(address: string, isSent: boolean): void {
      const input = h('input', {
        ...{ name: 'code', inputmode: 'numeric', autocomplete: 'one-time-code', required: true },
        ...{ maxlength: 12, class: 'code' },
      })
      const submit = async () => {
        await calls.call('/~/confirm-code', { code: input.value.replace(/\D/g, '') })
        await viewer.refresh()
        finish(address)
      }
      show(
        form('', submit, [
          h('p', {}, isSent ? SENT : SENT_BEFORE, h('b', { dir: 'auto' }, address), '.'),
          h('p', { class: 'hint' }, 'Open its link in this browser, or type its code.'),
          field('Code', input),
          h('button', { class: 'button' }, 'Confirm'),
          h(
            'button',
            { type: 'button', class: 'button quiet', onclick: () => showAddress(address) },
            'Use another address',
          ),
        ]),
      )
      announce((isSent ? SENT : SENT_BEFORE) + address)
      input.focus()
      void askUntilConfirmed(address)
    }

    function show(shown: HTMLElement): void {
      fill(container, shown)
    }

    /** Ends when the form is replaced, so each waiting form polls by itself. */
    async function askUntilConfirmed(address: string): Promise<void> {
      const waiting = container.firstElementChild
      while (waiting?.isConnected && Date.now() - startedMs < ASK_FOR_MS) {
        await new Promise((done) => setTimeout(done, ASK_MS))
        if (!waiting.isConnected || document.visibilityState !== 'visible') continue
        await viewer.refresh().catch(() => {})
        if (waiting.isConnected && finish(address)) return
      }
    }

    showAddress()
  })
}

/** A form that says what went wrong, and keeps what was typed. */
function form(error: string, submit: () => Promise<void>, children: Node[]): HTMLFormElement {
  const alert = h('p', { class: 'error', role: 'alert' }, error)
  let isBusy = false
  return h(
    'form',
    {
      class: 'stack',
      async onsubmit(event) {
        event.preventDefault()
        if (isBusy) return
        isBusy = true
        fill(alert)
        try {
          await submit()
        } catch (err) {
          fill(alert, (err as Error).message)
        }
        isBusy = false
      },
    },
    ...children,
    alert,
  )
}
