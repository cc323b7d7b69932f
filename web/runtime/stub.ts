import { own, showError, showState } from './form-state.ts'
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
  const loadAgain = createLoader(() => {
    const items = [...queue]
    queue.clear()
    for (const item of items) fail(item, UNREACHABLE)
  })
  let handle: Handler = (item) => {
    queue.add(item)
    loadAgain()
  }
  window[CONNECT] = (handler) => {
    handle = handler
    queue.forEach(handler)
    queue.clear()
  }
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
    if (target !== runtimeScript()) return
    failed = target as HTMLScriptElement
    onFailure()
  }
  addEventListener('error', onError, true)
  return (): void => {
    if (failed === null) return
    const script = document.createElement('script')
    for (const { name, value } of failed.attributes) script.setAttribute(name, value)
    failed.replaceWith(script)
    failed = null
  }
}

/** Shows that a form is being sent, and after a while that it is not sent yet. */
function createFormWatch() {
  const timers = new WeakMap<HTMLFormElement, ReturnType<typeof setTimeout>>()
  const isSending = (form: HTMLFormElement) => own(form).getAttribute('data-state') === 'sending'
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
  const isService = (target: unknown): target is HTMLFormElement =>
    target instanceof HTMLFormElement && own(target).hasAttribute('data-service')
  // Turbo, htmx, Astro and SvelteKit send forms to the page's own address, where nothing receives
  // them. All of them leave those alone that only close a dialog.
  const hideFromRouters = (form: unknown) => {
    if (!isService(form) || /^(\w+:|\/\/)/.test(own(form).getAttribute('action') ?? '')) return
    own(form).setAttribute('method', 'dialog')
  }
  const onSubmit = (event: Event) => {
    const { target, currentTarget, submitter } = event as SubmitEvent
    const isEnd = event.eventPhase > 1 && currentTarget === event.composedPath().at(-1)
    // Where a listener of the page stops the event, nobody hears of it further on.
    const isLast = event.cancelBubble || isEnd
    if (event.defaultPrevented || !isLast || !isService(target)) return
    // It closes a dialog and sends nothing.
    if ((submitter as HTMLButtonElement | null)?.formMethod === 'dialog') return
    event.preventDefault()
    listener(target, submitter)
  }
  // A submit event does not leave its shadow root. A root of the page's HTML shows at the click or
  // the focus before it.
  const listenOnPath = (event: Event) => {
    for (const target of event.composedPath()) {
      const { addEventListener, removeEventListener } = own(target)
      for (const capture of [true, false]) {
        removeEventListener('submit', onSubmit, capture)
        addEventListener('submit', onSubmit, capture)
      }
      if (target instanceof ShadowRoot) addEventListener('submit', listenOnPath, true)
    }
    if (event.type !== 'submit') return
    hideFromRouters(event.target)
    // No listener follows the one that calls this, not even ours.
    const stop = event.stopImmediatePropagation
    event.stopImmediatePropagation = () => {
      stop.call(event)
      queueMicrotask(() => onSubmit(event))
    }
  }
  const { attachShadow } = Element.prototype
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init)
    root.addEventListener('submit', listenOnPath, true)
    return root
  }
  // No event comes of this, and browsers would send the form to the address of the page.
  const { submit } = HTMLFormElement.prototype
  HTMLFormElement.prototype.submit = function () {
    if (isService(this)) listener(this, null)
    else submit.call(this)
  }
  const listen = () => {
    for (const type of ['submit', 'click', 'focusin']) addEventListener(type, listenOnPath, true)
  }
  listen()
  // Before deferred scripts: htmx chooses its forms when it starts, and when it shows another file.
  const hideAll = () => document.querySelectorAll('form').forEach(hideFromRouters)
  for (const type of ['readystatechange', 'htmx:beforeProcessNode', 'htmx:before:process']) {
    addEventListener(type, hideAll, true)
  }
  // A page that unpacks itself with `document.write` replaces its document, and removes all
  // listeners of the window. Adding them twice changes nothing.
  new MutationObserver(listen).observe(document, { childList: true })
}

start()

/** The data as JSON text. Throws for what JSON would drop silently, such as functions. */
function dataJson(data: unknown): string {
  try {
    // Accepts objects of other frames; refuses lists, FormData, maps, null and undefined.
    if (Object.prototype.toString.call(data) === '[object Object]') {
      // JSON throws for a bigint.
      return JSON.stringify(data, (_, value: unknown) => {
        // FormData has an empty one where none was chosen.
        if (value instanceof Blob) return value.size > 0 ? 0n : undefined
        return ['function', 'symbol'].includes(typeof value) ? 0n : value
      })
    }
  } catch {
    // A loop of objects has no JSON either.
  }
  const message =
    'Service.submit takes a plain object of JSON without files, as of Object.fromEntries(formData).'
  throw submitError('invalid_data', message)
}
