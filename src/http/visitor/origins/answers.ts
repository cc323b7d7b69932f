import { buildResponse, textResponse } from '../../kit/response.ts'

/** What the own hosts of pages answer besides content. Nothing here says anything of a page. */

const REDIRECT_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/**
 * Sent where access has ended: the copies that the browser keeps, what the page stored, and with it
 * its service workers, go; documents that are open are reloaded by browsers that can.
 */
export const CLEARED = { 'clear-site-data': '"cache", "storage", "executionContexts"' }

interface RedirectOptions {
  cookies?: readonly string[]
  headers?: Record<string, string>
}

export function redirectTo(request: Request, location: string, options: RedirectOptions = {}) {
  const headers = new Headers({ ...REDIRECT_HEADERS, ...options.headers, location })
  return buildResponse(request, {
    status: 303,
    headers,
    body: null,
    cookies: options.cookies ?? [],
  })
}

export function notServed(
  request: Request,
  { status, text = 'Nothing is served here.', headers = {} }: NotServed,
): Response {
  return textResponse(request, {
    status,
    text,
    headers: {
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      ...headers,
    },
  })
}

interface NotServed {
  status: number
  text?: string
  headers?: Record<string, string>
}

/**
 * A service worker that removes itself and what it stored, and reloads the windows it answered for.
 * Browsers ask for the script of a worker that they have at each navigation, past the worker.
 */
const LAST_WORKER = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil((async () => {
  const windows = await clients.matchAll({ type: 'window' })
  for (const name of await caches.keys()) await caches.delete(name)
  await registration.unregister()
  for (const window of windows) window.navigate(window.url)
})()))
`

/**
 * Replaces the service worker of a page that this browser is not let in to any more. Without
 * `Clear-Site-Data`, which would remove the worker before it reloads the windows: that comes with
 * what they then ask for.
 */
export function lastWorker(request: Request): Response {
  return buildResponse(request, {
    body: LAST_WORKER,
    headers: new Headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    }),
  })
}
