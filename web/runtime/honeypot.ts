import { own } from './form-state.ts'

/** A name that no page uses, and that does not reveal its purpose to bots. */
export const HONEYPOT = 'hb_7fq2xk'

const ATTRIBUTES = {
  name: HONEYPOT,
  tabindex: '-1',
  autocomplete: 'off',
  'aria-hidden': 'true',
  // Keeps password managers from filling it in.
  'data-1p-ignore': '',
  'data-bwignore': '',
  'data-form-type': 'other',
  'data-lpignore': 'true',
}
/** Not `display: none`, by which bots recognise such fields. */
const HIDDEN = [
  'all:initial',
  'position:fixed',
  'inset:0 auto auto 0',
  'width:1px',
  'height:1px',
  'opacity:0',
  'clip-path:inset(50%)',
  'pointer-events:none',
]

/**
 * Adds an invisible field to each form when it first receives focus. It is no `input`: with a
 * second one, browsers would no longer send a form of one field and no button by the Enter key.
 */
export function addHoneypots(): void {
  const add = (event: Event) => {
    const form = event.composedPath().find((target) => target instanceof HTMLFormElement)
    if (!form || !own(form).hasAttribute('data-service') || honeypotIn(form) !== null) return
    const field = document.createElement('textarea')
    for (const [name, value] of Object.entries(ATTRIBUTES)) field.setAttribute(name, value)
    field.style.cssText = HIDDEN.map((rule) => `${rule}!important`).join(';')
    own(form).append(field)
  }
  window.addEventListener('focusin', add, true)
  // A page that reads the form data itself does not see this field.
  window.addEventListener('formdata', ({ formData }) => formData.delete(HONEYPOT), true)
}

export function honeypotIn(form: HTMLFormElement): HTMLTextAreaElement | null {
  return own(form).querySelector(`[name=${HONEYPOT}]`)
}
