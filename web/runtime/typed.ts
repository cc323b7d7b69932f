import { own } from './form-state.ts'

/**
 * Asks before what was typed into a form, and not sent, is lost: a page behind a gate or beside
 * comments comes back empty, as browsers keep nothing of it.
 *
 * @returns the forms
 */
export function guardTyped(): Set<unknown> {
  const forms = new Set<unknown>()
  const warn = (event: Event) => forms.size > 0 && event.preventDefault()
  const onInput = (event: Event) => {
    const { form } = event.composedPath()[0] as HTMLInputElement
    if (!form || !own(form).hasAttribute('data-service')) return
    forms.add(form)
    // Only once it is needed: some browsers keep no document for Back that listens.
    addEventListener('beforeunload', warn)
  }
  addEventListener('input', onInput, true)
  for (const type of ['submit', 'reset']) {
    addEventListener(type, ({ target }) => forms.delete(target), true)
  }
  return forms
}
