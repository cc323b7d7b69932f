import { type ComponentChildren, render } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ConfirmReason, PanelViewer } from '../../src/model/conversation.ts'
import { Alert, Field, QuietButton, SubmitButton, useCall } from './components.tsx'
import type { TabContext } from './tab.ts'

/** How often to ask whether the link of the mail was opened in another tab. */
const POLL_MS = 4000
/** As long as the mail's link works. */
const POLL_FOR_MS = 15 * 60_000
const SENT = 'We sent a mail to '
const NO_MAIL =
  'This server sends no mail: whoever runs it gets the link. Ask them, or the owner of the page.'
const WAITING = 'Whoever runs this server has a mail for '
const SENT_BEFORE = 'Many mails went out lately. Use the newest one to '

/** Asks for an address, and then for the code that was mailed to it or for its link. */
export function confirmEmail(
  context: TabContext,
  container: HTMLElement,
  reason: ConfirmReason,
): Promise<PanelViewer> {
  const { viewer, announce } = context
  // An element of its own: another confirmation may have been begun in the container.
  const own = document.createElement('div')
  container.replaceChildren(own)
  return new Promise((resolve) => {
    function finish(address: string): boolean {
      if (!own.isConnected || !viewer.current.emails.includes(address)) return false
      render(null, own)
      own.remove()
      announce(`${address} is confirmed`)
      resolve(viewer.current)
      return true
    }
    render(<ConfirmEmail context={context} reason={reason} finish={finish} />, own)
  })
}

interface StepProps {
  context: TabContext
  reason: ConfirmReason
  /** @returns whether the address is confirmed, and the confirmation at its end */
  finish(address: string): boolean
}

interface Mail {
  email: string
  is_sent: boolean
}

function ConfirmEmail(props: StepProps) {
  const { context, reason, finish } = props
  const { sendsMails } = context
  const [mail, setMail] = useState<Mail | null>(null)
  const address = useRef<HTMLInputElement>(null)
  const [lastEmail, setLastEmail] = useState('')
  useLayoutEffect(() => {
    if (mail === null) address.current?.focus()
  }, [mail])
  if (mail !== null) return <CodeForm {...props} mail={mail} onAgain={() => setMail(null)} />

  async function send(): Promise<void> {
    const email = address.current!.value
    if (finish(email.trim().toLowerCase())) return
    const next = await context.call<Mail>('/~/confirm-email', { email, reason })
    setLastEmail(next.email)
    setMail(next)
  }

  return (
    <ConfirmForm key="address" send={send}>
      <Field label="Your email">
        <input
          ref={address}
          type="email"
          name="email"
          autoComplete="email"
          required
          maxLength={320}
          defaultValue={lastEmail}
        />
      </Field>
      <p className="hint">
        {sendsMails ? 'We mail you a link and a code to confirm it.' : NO_MAIL}
      </p>
      <SubmitButton>{sendsMails ? 'Send the mail' : 'Make a link'}</SubmitButton>
    </ConfirmForm>
  )
}

function CodeForm({ context, mail, finish, onAgain }: StepProps & { mail: Mail; onAgain(): void }) {
  const { viewer, sendsMails } = context
  const { email } = mail
  const code = useRef<HTMLInputElement>(null)
  const words = !sendsMails ? WAITING : mail.is_sent ? SENT : SENT_BEFORE
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mail
  useLayoutEffect(() => {
    code.current!.focus()
    context.announce(words + email)
    void pollUntilConfirmed()
  }, [mail])

  /** Ends when the form is gone, so each form polls by itself. */
  async function pollUntilConfirmed(): Promise<void> {
    const form = code.current!
    const startedMs = Date.now()
    while (form.isConnected && Date.now() - startedMs < POLL_FOR_MS) {
      await new Promise((done) => setTimeout(done, POLL_MS))
      if (!form.isConnected || document.visibilityState !== 'visible') continue
      await viewer.refresh().catch(() => {})
      if (form.isConnected && finish(email)) return
    }
  }

  async function confirm(): Promise<void> {
    await context.call('/~/confirm-code', { code: code.current!.value.replace(/\D/g, '') })
    await viewer.refresh()
    finish(email)
  }

  return (
    <ConfirmForm key="code" send={confirm}>
      <p>
        {words}
        <b dir="auto">{email}</b>.
      </p>
      <p className="hint">Open its link in this browser, or type its code.</p>
      <Field label="Code">
        <input
          ref={code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={12}
          className="code"
        />
      </Field>
      <SubmitButton>Confirm</SubmitButton>
      <QuietButton onClick={onAgain}>Use another address</QuietButton>
    </ConfirmForm>
  )
}

/** A form that says what went wrong, and keeps what was typed. */
function ConfirmForm({ send, children }: { send(): Promise<void>; children: ComponentChildren }) {
  const { isBusy, problem, run } = useCall()
  function submit(event: Event): void {
    event.preventDefault()
    if (!isBusy) void run(send)
  }
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <Alert>{problem}</Alert>
    </form>
  )
}
