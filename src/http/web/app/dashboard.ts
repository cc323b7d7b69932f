import { randomBytes } from 'node:crypto'
import type { Account } from '../../../model/account.ts'
import { html, rawHtml } from '../../../model/html.ts'
import type { Operation } from '../../../model/operation.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import { callOperation } from '../../kit/call-operation.ts'
import type { Compressor } from '../../kit/compressor.ts'
import type { Cookies } from '../../kit/cookies.ts'
import type { SessionPrincipal } from '../../kit/principal.ts'
import { documentResponse } from '../../kit/response.ts'
import { createNewKeys } from './new-key.ts'

export interface DashboardDeps {
  operations: Operation[]
  secrets: Secrets
  assets: Assets
  compressor: Compressor
}

/** The addresses of the dashboard below `/app`: `web/app/app.tsx` has a screen for each. */
export const DASHBOARD_PATHS = [
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
 * The dashboard's document. It brings along what the first screen shows, so that nothing has to be
 * requested before it is painted.
 */
export function createDashboard(deps: DashboardDeps, cookies: Cookies) {
  const { operations, secrets, assets, compressor } = deps
  const newKeys = createNewKeys({ secrets, cookies })

  /** The result of an operation of the account, as its API answers it. */
  async function resultOf(name: string, account: Account): Promise<unknown> {
    const operation = operations.find(({ contract }) => contract.name === name)
    if (operation === undefined) throw new Error(`There is no operation ${name}`)
    const context = { source: 'editor', hasIfMatch: false, idempotency: null }
    return callOperation(operation, { account, context }, { input: {} })
  }

  return async (request: Request, { account }: SessionPrincipal): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    // With a query, the list is filtered.
    const isList = pathname === LIST_PATH && search === ''
    const [own, pages] = await Promise.all([
      resultOf('getAccount', account) as Promise<{ data: unknown }>,
      isList ? resultOf('listPages', account) : null,
    ])
    const newKey = pathname === LIST_PATH ? newKeys.find(request, account.id) : null
    // Where another screen is opened, the one that shows the key was left.
    const hasLeftKey = newKey === null && cookies.newKeyOf(request) !== null
    const boot = { account: own.data, pages, new_key: newKey }
    const nonce = randomBytes(16).toString('base64')
    const response = documentResponse(request, {
      csp: dashboardCsp(nonce),
      body: dashboardPage(assets, { boot, nonce }),
      // Resolving the session extended it, so its cookie is sent again with the new lifetime.
      cookies: [
        cookies.session(cookies.sessionOf(request)!),
        ...(hasLeftKey ? [cookies.endNewKey()] : []),
      ],
    })
    // The length of a compressed body could tell something about the key.
    return newKey === null ? compressor.respond(request, response) : response
  }
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

function dashboardPage(assets: Assets, { boot, nonce }: { boot: unknown; nonce: string }): string {
  return html`<!doctype html>
<html lang="en" data-accent="blue">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<title>Handbill</title>
<link rel="icon" href="data:,">
<script type="module" nonce="${nonce}" src="${assets.url('app.js')}"></script>
<link rel="stylesheet" nonce="${nonce}" href="${assets.url('app.css')}">
<link rel="stylesheet" nonce="${nonce}" href="${assets.url('fonts.css')}">
</head>
<body>
<div id="root"></div>
<noscript><p>This page needs JavaScript. Everything it does, the <a href="/docs">API and the
command line</a> do, too.</p></noscript>
<script type="application/json" id="boot">${rawHtml(jsonInScript(boot))}</script>
</body>
</html>
`.toString()
}

/** JSON that cannot end the script element it stands in. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
