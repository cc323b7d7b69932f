import { showError, showState } from './form-state.ts'
import { CONNECT, type Handler, type QueueItem, runtimeScript } from './stub-queue.ts'
import { submitError, UNANSWERED, UNREACHABLE } from './submission.ts'

/** Within five seconds, whoever submits is told that nothing has arrived yet. */
const ANSWER_MS = 4500

/**
 * The first script of the page, inline. It queues, in order, what is submitted before the runtime
 * has loaded, and passes on what is submitted later. It is also the one that notices that nothing
 * happens: the runtime, the network or the shell may be missing.
 */
function start(): void {
  // A saved copy of a page contains this script twice: as saved, and as served.
  if (CONNECT in window) return
  const queue = new Set<QueueItem>()
  const loader = createLoader(() => {
    const items = [...queue]
    queue.clear()
    for (const item of items) fail(item, UNREACHABLE)
  })
  let handle: Handler = (item) => {
    queue.add(item)
    loader.loadAgain()
  }
  const connect = (handler: Handler) => {
    handle = handler
    queue.forEach(handler)
    queue.clear()
  }
  Object.defineProperty(window, CONNECT, { value: connect })
  window.Service = {
    submit: (data, options) =>
      new Promise((resolve, reject) => {
        const item = { data: dataJson(data), name: options?.name, resolve, reject }
        setTimeout(() => {
          queue.delete(item)
          fail(item, UNREACHABLE)
        }, ANSWER_MS)
        handle(item)
      }),
  }
  const watchForm = createFormWatch()
  listenForSubmits((form, submitter) => {
    watchForm(form)
    handle({ form, submitter })
  })
}

function fail(item: QueueItem, message: string): void {
  const error = submitError('offline', message)
  if ('form' in item) showError(item.form, error)
  else item.reject(error)
}

/** Notices that the runtime's script cannot be loaded; the next submission then tries again. */
function createLoader(onFailure: () => void) {
  let failed: HTMLScriptElement | null = null
  const onError = ({ target }: Event) => {
    const script = runtimeScript()
    if (script === null || target !== script) return
    failed = script
    onFailure()
  }
  window.addEventListener('error', onError, true)
  return {
    loadAgain(): void {
      if (failed === null) return
      const script = document.createElement('script')
      for (const { name, value } of failed.attributes) script.setAttribute(name, value)
      failed.replaceWith(script)
      failed = null
    },
  }
}

/** Shows that a form is being sent, and after a while that it is not sent yet. */
function createFormWatch() {
  const timers = new WeakMap<HTMLFormElement, ReturnType<typeof setTimeout>>()
  const isSending = (form: HTMLFormElement) => form.getAttribute('data-state') === 'sending'
  return (form: HTMLFormElement): void => {
    // Another click does not put off the message.
    if (timers.has(form) && isSending(form)) return
    clearTimeout(timers.get(form))
    showState(form, 'sending', '')
    const timer = setTimeout(() => {
      timers.delete(form)
      if (isSending(form)) showError(form, submitError('offline', UNANSWERED))
    }, ANSWER_MS)
    timers.set(form, timer)
  }
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
  const listen = () => {
    window.addEventListener('submit', onSubmit)
    window.addEventListener('click', listenInRoots, true)
    window.addEventListener('focusin', listenInRoots, true)
  }
  listen()
  // A page that unpacks itself with `document.write` replaces its document, and removes all
  // listeners of the window. Adding them twice changes nothing.
  new MutationObserver(listen).observe(document, { childList: true })
}

start()

/** The data as JSON text. Throws for what JSON would drop silently, such as functions. */
function dataJson(data: unknown): string {
  // Accepts objects of other frames; refuses lists, FormData, maps, null and undefined.
  if (Object.prototype.toString.call(data) !== '[object Object]') throw invalid()
  try {
    return JSON.stringify(data, (_, value: unknown) => {
      if (typeof value === 'function' || typeof value === 'symbol') throw invalid()
      return value
    })
  } catch {
    throw invalid()
  }
}

function invalid() {
  const message =
    'Service.submit takes a plain object of JSON values, as of Object.fromEntries(formData).'
  return submitError('invalid_data', message)
}
