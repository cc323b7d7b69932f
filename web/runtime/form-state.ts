import type { SubmitError } from './submission.ts'

/** With the element's own members: `<input name="append">` would replace `form.append`. */
export function own<T extends EventTarget>(element: T): T {
  return new Proxy(element, {
    get(_, name) {
      const value = Reflect.get(HTMLFormElement.prototype, name, element)
      return value?.bind?.(element) ?? value
    },
  })
}

/**
 * Sets the attributes by which pages style the state of a form, and shows the text, if there is a
 * new one.
 */
export function showState(form: HTMLElement, state: 'sending' | 'sent' | 'failed', text?: string) {
  const { setAttribute, removeAttribute, querySelector, append } = own(form)
  setAttribute('data-state', state)
  if (state === 'sending') setAttribute('aria-busy', 'true')
  else removeAttribute('aria-busy')
  if (text === undefined) return
  // The page's own element for messages, or a new one at the end of the form.
  let message = querySelector('[data-service-message]')
  if (message === null) {
    message = document.createElement('p')
    message.setAttribute('data-service-message', '')
    append(message)
  }
  message.setAttribute('role', state === 'failed' ? 'alert' : 'status')
  message.textContent = text
}

export function showError(form: HTMLElement, { code, message }: SubmitError): void {
  showState(form, 'failed', message)
  dispatch(form, 'service:error', { code, message })
}

/** The event is composed, so that it leaves the shadow root that a form may be in. */
export function dispatch(form: HTMLElement, type: string, detail: object): void {
  own(form).dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }))
}
