import type { Refused } from './refused.ts'

/**
 * Pages style these states by their attributes. Methods of a form are called here only by names
 * that no control has: `<input name="append">` takes the place of the form's own member.
 */
export function showState(
  form: HTMLFormElement,
  state: 'sending' | 'sent' | 'failed',
  text: string,
): void {
  form.setAttribute('data-state', state)
  if (state === 'sending') form.setAttribute('aria-busy', 'true')
  else form.removeAttribute('aria-busy')
  const message = messageOf(form)
  message.setAttribute('role', state === 'failed' ? 'alert' : 'status')
  message.textContent = text
}

export function showFailed(form: HTMLFormElement, { code, message }: Refused): void {
  showState(form, 'failed', message)
  tell(form, 'service:error', { code, message })
}

/** Also to listeners outside the shadow root that a form may be in. */
export function tell(form: HTMLFormElement, type: string, detail: object): void {
  form.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }))
}

/** The page's own element for messages, or one of ours at the end of the form. */
function messageOf(form: HTMLFormElement): Element {
  const known = form.querySelector('[data-service-message]')
  if (known !== null) return known
  const message = document.createElement('p')
  message.setAttribute('data-service-message', '')
  form.insertAdjacentElement('beforeend', message)
  return message
}
