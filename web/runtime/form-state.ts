import type { SubmitError } from './submission.ts'

/**
 * Sets the attributes by which pages style the state of a form, and shows the text, if there is a
 * new one. The names of the form's methods used here are never names of controls:
 * `<input name="append">` would replace `form.append`.
 */
export function showState(
  form: HTMLFormElement,
  state: 'sending' | 'sent' | 'failed',
  text?: string,
): void {
  form.setAttribute('data-state', state)
  if (state === 'sending') form.setAttribute('aria-busy', 'true')
  else form.removeAttribute('aria-busy')
  if (text === undefined) return
  const message = messageOf(form)
  message.setAttribute('role', state === 'failed' ? 'alert' : 'status')
  message.textContent = text
}

export function showError(form: HTMLFormElement, { code, message }: SubmitError): void {
  showState(form, 'failed', message)
  dispatch(form, 'service:error', { code, message })
}

/** The event is composed, so that it leaves the shadow root that a form may be in. */
export function dispatch(form: HTMLFormElement, type: string, detail: object): void {
  form.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }))
}

/** The page's own element for messages, or a new one at the end of the form. */
function messageOf(form: HTMLFormElement): Element {
  const existing = form.querySelector('[data-service-message]')
  if (existing !== null) return existing
  const message = document.createElement('p')
  message.setAttribute('data-service-message', '')
  form.insertAdjacentElement('beforeend', message)
  return message
}
