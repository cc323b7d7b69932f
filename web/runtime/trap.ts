/** No page uses it, and to a program that fills in forms it is a field like any other. */
export const TRAP = 'hb_7fq2xk'

const QUIET = {
  type: 'text',
  name: TRAP,
  tabindex: '-1',
  autocomplete: 'off',
  'aria-hidden': 'true',
  // So that no password manager fills it in.
  'data-1p-ignore': '',
  'data-bwignore': '',
  'data-form-type': 'other',
  'data-lpignore': 'true',
}
const UNSEEN = [
  'all:initial',
  'position:fixed',
  'inset:0 auto auto 0',
  'width:1px',
  'height:1px',
  'opacity:0',
  'clip-path:inset(50%)',
  'pointer-events:none',
]

/** A field that no person sees, in every form that somebody begins to fill in. */
export function layTraps(): void {
  const lay = (event: Event) => {
    const form = event.composedPath().find((each) => each instanceof HTMLFormElement)
    if (!form?.hasAttribute('data-service') || trapIn(form) !== null) return
    const trap = document.createElement('input')
    for (const [name, value] of Object.entries(QUIET)) trap.setAttribute(name, value)
    trap.style.cssText = UNSEEN.map((rule) => `${rule}!important`).join(';')
    form.insertAdjacentElement('beforeend', trap)
  }
  window.addEventListener('focusin', lay, true)
  // A page that reads the form itself finds what is its own.
  window.addEventListener('formdata', ({ formData }) => formData.delete(TRAP), true)
}

export function trapIn(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector(`[name=${TRAP}]`)
}
