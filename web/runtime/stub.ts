import { dataJson } from './data-json.ts'
import { showError } from './form-state.ts'
import { CONNECT, type Handler } from './stub-queue.ts'
import { submitError, UNREACHABLE } from './submit-error.ts'

/**
 * The first script of the page, inline. It queues, in order, what is submitted before the runtime
 * has loaded, and passes on what is submitted later.
 */
function start(): void {
  // A saved copy of a page contains this script twice: as saved, and as served.
  if (CONNECT in window) return
  const queue: Parameters<Handler>[0][] = []
  let handle: Handler = (item) => queue.push(item)
  const connect = (handler: Handler) => {
    window.removeEventListener('error', onError, true)
    handle = handler
    queue.splice(0).forEach(handler)
  }
  Object.defineProperty(window, CONNECT, { value: connect })
  window.Service = {
    submit: (data, options) =>
      new Promise((resolve, reject) => {
        handle({ data: dataJson(data), name: options?.name, resolve, reject })
      }),
  }
  listenForSubmits((form, submitter) => handle({ form, submitter }))
  const onError = (event: Event) => {
    const { target } = event
    if (!(target instanceof HTMLScriptElement && target.src.endsWith('/~/runtime.js'))) return
    connect((item) => {
      const error = submitError('offline', UNREACHABLE)
      if ('form' in item) showError(item.form, error)
      else item.reject(error)
    })
  }
  window.addEventListener('error', onError, true)
}

/** Listens last: if the page's own script prevents the submit, the form is not collected. */
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
  // A submit event does not leave its shadow root, but the click or the focus before it does. These
  // reveal the root in time to listen inside it.
  const listenInRoots = (event: Event) => {
    for (const target of event.composedPath()) {
      if (target instanceof ShadowRoot) target.addEventListener('submit', onSubmit)
    }
  }
  window.addEventListener('submit', onSubmit)
  window.addEventListener('click', listenInRoots, true)
  window.addEventListener('focusin', listenInRoots, true)
}

start()
