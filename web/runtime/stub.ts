import { BEGIN, type Take } from './handover.ts'
import { jsonOf } from './json.ts'
import { refused, UNREACHABLE } from './refused.ts'
import { showFailed } from './states.ts'

/**
 * Stands in the page itself, before anything else of it. What is submitted before the runtime has
 * loaded waits, in order; what is submitted later goes straight through.
 */
function start(): void {
  // A saved copy of a page holds this script twice: as saved, and as served.
  if (BEGIN in window) return
  const waiting: Parameters<Take>[0][] = []
  let take: Take = (item) => waiting.push(item)
  const begin = (next: Take) => {
    window.removeEventListener('error', fail, true)
    take = next
    waiting.splice(0).forEach(next)
  }
  Object.defineProperty(window, BEGIN, { value: begin })
  window.Service = {
    submit: (data, options) =>
      new Promise((resolve, reject) => {
        take({ data: jsonOf(data), name: options?.name, resolve, reject })
      }),
  }
  listenForSubmits((form, submitter) => take({ form, submitter }))
  const fail = (event: Event) => {
    const { target } = event
    if (!(target instanceof HTMLScriptElement && target.src.endsWith('/~/runtime.js'))) return
    begin((item) => {
      const error = refused('offline', UNREACHABLE)
      if ('form' in item) showFailed(item.form, error)
      else item.reject(error)
    })
  }
  window.addEventListener('error', fail, true)
}

/** As the last to hear: a form whose submit the page's own script prevents is that script's. */
function listenForSubmits(
  listener: (form: HTMLFormElement, submitter: HTMLElement | null) => void,
): void {
  const onSubmit = (event: Event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    if (!form.hasAttribute('data-service')) return
    event.preventDefault()
    listener(form, (event as SubmitEvent).submitter)
  }
  // A submit event does not leave its shadow root. Nobody sends a form there without a click or a
  // focus, and these do: they tell of the root in time to listen in it.
  const listenInRoots = (event: Event) => {
    for (const place of event.composedPath()) {
      if (place instanceof ShadowRoot) place.addEventListener('submit', onSubmit)
    }
  }
  window.addEventListener('submit', onSubmit)
  window.addEventListener('click', listenInRoots, true)
  window.addEventListener('focusin', listenInRoots, true)
}

start()
