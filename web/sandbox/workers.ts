import { explainDatabases } from './explain-databases.ts'
import { OWN_FILES } from './own-files.ts'

if (OWN_FILES !== null) {
  polyfillWorkers(window, { files: OWN_FILES, file: null, first: `(${explainDatabases})();` })
}

/** The members of a window or worker scope that are used here. */
interface Scope {
  Worker: typeof Worker
  Request: typeof Request
  fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>
  XMLHttpRequest: typeof XMLHttpRequest
  importScripts?(...urls: string[]): void
}

interface PolyfillOptions {
  /** The address that all of the page's files are below. */
  files: string
  /** The address of the worker's file; null in a document. */
  file: string | null
  /** What each worker runs first. */
  first: string
}

/**
 * Lets a sandboxed page start workers from its own files. A sandbox has no origin, so every file is
 * of another one to it, and browsers start no such worker. A worker whose text the page has made
 * may load the file instead. There addresses are relative to the file, as in a worker that was
 * started from it.
 *
 * Its own text runs in those workers as well, so it uses nothing from outside of it.
 */
function polyfillWorkers(scope: Scope, { files, file, first }: PolyfillOptions): void {
  const resolve = (address: unknown) => {
    try {
      return new URL(String(address), file ?? document.baseURI).href
    } catch {
      return String(address)
    }
  }
  /** The blob URL that starts the workers of each file, so that it is made once. */
  const blobs = new Map<string, string>()
  const asScript = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`

  function startOf(address: unknown, workerOptions?: WorkerOptions): unknown {
    const url = resolve(address)
    if (!url.startsWith(files)) return file === null ? address : url
    const options = JSON.stringify({ files, file: url, first })
    const prelude = `${first}(${polyfillWorkers})(self,${options});`
    const text = JSON.stringify(url)
    if (workerOptions?.type === 'module') {
      // No browser loads a module worker from the blob of a sandbox.
      return asScript(`import ${JSON.stringify(asScript(prelude))};import ${text}`)
    }
    const script = [`${prelude}importScripts(${text})`]
    const blob =
      blobs.get(url) ?? URL.createObjectURL(new Blob(script, { type: 'text/javascript' }))
    blobs.set(url, blob)
    return blob
  }
  scope.Worker = new Proxy(scope.Worker, {
    construct: (target, [address, options], newTarget) =>
      Reflect.construct(target, [startOf(address, options), options], newTarget),
  })
  if (file === null) return

  const { fetch, importScripts } = scope
  const { open } = scope.XMLHttpRequest.prototype
  const isAddress = (input: unknown) => typeof input === 'string' || input instanceof URL
  Object.defineProperty(scope, 'location', { configurable: true, value: new URL(file) })
  scope.fetch = (input, init) => fetch(isAddress(input) ? resolve(input) : input, init)
  scope.Request = new Proxy(scope.Request, {
    construct: (target, [input, init], newTarget) =>
      Reflect.construct(target, [isAddress(input) ? resolve(input) : input, init], newTarget),
  })
  scope.XMLHttpRequest.prototype.open = function (...[method, address, ...rest]: unknown[]) {
    Reflect.apply(open, this, [method, resolve(address), ...rest])
  }
  if (importScripts !== undefined) {
    scope.importScripts = (...urls) => importScripts.apply(scope, urls.map(resolve))
  }
}
