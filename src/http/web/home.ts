import { html } from '../../model/html.ts'
import type { Site } from '../../model/site.ts'
import type { Assets } from '../kit/assets.ts'
import { layoutPage } from '../kit/layout.ts'
import { publishCommand } from './app/new-key.ts'

export interface HomeOptions {
  baseUrl: string
  site: Site
  /** False until the first account is made. */
  hasAccounts: boolean
  assets?: Assets | undefined
}

export function homePage({ baseUrl, site, hasAccounts, assets }: HomeOptions): string {
  return layoutPage({
    title: site.name,
    isWide: true,
    site,
    assets,
    main: html`<h1 class="wordmark">${site.name}</h1>
<p class="why">This server publishes HTML pages, decks, PDFs and images at links their owners
control. A link to one begins with <code>${baseUrl}/p/</code></p>
${
  !hasAccounts &&
  html`<p class="aside">Nobody has an account here yet. The link that makes the first one is in this
server’s log, where it was started.</p>`
}
${
  hasAccounts &&
  html`<p class="actions"><a class="button" href="/app/sign-in">Sign in</a>
<a class="button quiet" href="/docs/app">Use the app</a></p>`
}
<h2>Publish from a program</h2>
<p>With an API key in <code>HANDBILL_API_KEY</code>, from any terminal. Signed in, you make
keys <a href="/app/developer">here</a>.</p>
<pre tabindex="0"><code>${publishCommand(baseUrl, '$HANDBILL_API_KEY')}</code></pre>
<p>The answer’s <code>url</code> is where the page is.</p>
<p class="links"><a href="/docs">Documentation</a>
<a href="/openapi.json">OpenAPI document</a>
<a href="/llms-full.txt">For language models</a></p>`,
  })
}
