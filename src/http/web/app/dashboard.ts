import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import type { Boot } from '../../../../web/app/render.tsx'
import { html, rawHtml } from '../../../model/html.ts'
import type { Assets } from '../../kit/assets.ts'
import type { SessionPrincipal } from '../../kit/call-operation.ts'
import { POINTER_GUARD } from '../../kit/pointer-guard.ts'
import { documentResponse } from '../../kit/response.ts'
import type { AppContext } from './context.ts'
import { findNewKey } from './new-key.ts'
import { redirectResponse, withNext } from './pages.ts'

/** The addresses of the dashboard below `/app`: `web/app/screens.tsx` has a screen for each. */
const DASHBOARD_PATHS = [
  '/',
  '/new',
  '/pages',
  '/pages/:id',
  '/pages/:id/:tab',
  '/pages/:id/:tab/:item',
  '/inbox',
  '/analytics',
  '/developer',
  '/account',
  '/admin',
  '/admin/:part',
]
const LIST_PATH = '/app'

/**
 * The dashboard's document. It contains the first screen, as data and as HTML, so that nothing else
 * has to be requested before it is shown.
 */
export function dashboardRoutes(context: AppContext, routes: Hono): void {
  const { resolveSession, callFor, assets, compressor, clock, checks } = context
  const { baseUrl, site, singleSignOn, plans, cookies } = context

  async function show(request: Request, session: SessionPrincipal): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const isList = path === LIST_PATH
    // Loaded with the first document: the start and the visitors do without it.
    const { renderDashboard, FIRST_PAGES } = await import('../../../../web/app/render.tsx')
    const [own, pages, folders] = await Promise.all([
      callFor(session, 'getAccount'),
      // With a query, the list is filtered.
      isList && search === ''
        ? callFor(session, 'listPages', { input: { limit: FIRST_PAGES } })
        : null,
      isList ? callFor(session, 'listFolders') : null,
    ])
    const newKey = isList ? findNewKey(context, request, session.account.id) : null
    const boot: Boot = {
      account: (own as { data: Boot['account'] }).data,
      pages: pages as Boot['pages'],
      folders: (folders as { data: Boot['folders'] } | null)?.data ?? null,
      plan_names: { free: plans.free.name, pro: plans.pro.name, team: plans.team.name },
      base_url: baseUrl,
      server_name: site.name,
      server_accent: site.accent,
      at: clock.now(),
      provider: singleSignOn?.name ?? null,
      sends_mails: checks.sendsMails,
      new_key: newKey,
    }
    const nonce = randomBytes(16).toString('base64')
    const firstScreen = renderDashboard(boot, { path, search })
    const title = isList ? `Pages · ${site.name}` : site.name
    const response = documentResponse(request, {
      csp: dashboardCsp(nonce),
      body: dashboardPage(assets, { boot, firstScreen, title, accent: site.accent, nonce }),
      // Resolving the session extended it, so its cookie is sent again with the new lifetime.
      cookies: [
        cookies.session(cookies.sessionOf(request)!),
        // The key is shown once: this document has it, or another screen was opened.
        ...(cookies.newKeyOf(request) === null ? [] : [cookies.endNewKey()]),
      ],
    })
    // The length of a compressed body could reveal something about the key.
    return newKey === null ? compressor.respond(request, response) : response
  }

  function toSignIn(request: Request): Response {
    const { pathname, searchParams } = new URL(request.url)
    const signIn = withNext('/app/sign-in', pathname === LIST_PATH ? null : pathname)
    const location = searchParams.has('signed_out') ? '/app/sign-in?signed_out' : signIn
    const ended = cookies.sessionOf(request) === null ? [] : [cookies.endSession()]
    return redirectResponse(location, ended)
  }

  for (const path of DASHBOARD_PATHS) {
    routes.get(path, async ({ req }) => {
      const session = await resolveSession(req.raw)
      return session === null ? toSignIn(req.raw) : show(req.raw, session)
    })
  }
}

interface PageParts {
  boot: unknown
  firstScreen: string
  title: string
  accent: string
  nonce: string
}

/**
 * The document of the dashboard. It contains its styles, its first screen and the script that
 * records early input, so nothing else has to be loaded before it is painted.
 */
function dashboardPage(assets: Assets, parts: PageParts): string {
  const { boot, firstScreen, title, accent, nonce } = parts
  return html`<!doctype html>
<html lang="en" data-accent="${accent}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<title>${title}</title>
<link rel="icon" href="data:,">
<script type="module" nonce="${nonce}" src="${assets.url('app.js')}"></script>
<style nonce="${nonce}">${rawHtml(assets.text('app.css'))}</style>
</head>
<body>
<script nonce="${nonce}">${rawHtml(POINTER_GUARD)}</script>
<script nonce="${nonce}">${rawHtml(assets.text('app.early.js'))}</script>
<div id="root">${rawHtml(firstScreen)}</div>
<script type="application/json" id="boot">${rawHtml(jsonInScript(boot))}</script>
</body>
</html>
`.toString()
}

/** Scripts with the nonce run, and what they load. Previews of drafts are framed in a sandbox. */
function dashboardCsp(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** JSON that cannot end the script element it stands in. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
