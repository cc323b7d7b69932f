import { type Html, html } from '../../../../model/html.ts'
import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { codeBlock } from '../markup/code.ts'
import { renderMarkdown, splitChapters } from '../markup/markdown.ts'
import type { DocsPage } from '../markup/page.ts'
import {
  authenticationTexts,
  type EndpointGroup,
  groupEndpoints,
  titleOf,
} from '../openapi/document.ts'
import { ERRORS_PATH, groupPath, operationAddress } from './addresses.ts'

/** Authentication, what all requests have in common, and a list of the operations. */
export function overviewPage(document: OpenApiDocument, server: string): DocsPage {
  const { intro } = splitChapters(document.info.description)
  return {
    path: '/docs/api',
    title: 'The API',
    lead: html`${document.info.summary}`,
    sections: [
      { id: 'authentication', title: 'Authentication', body: authentication(document, server) },
      {
        id: 'requests',
        title: 'Requests and answers',
        body: html`${renderMarkdown(intro)}
<p>An answer with another status than 2xx contains an <a href="${ERRORS_PATH}">error</a>.</p>`,
      },
      {
        id: 'operations',
        title: 'Operations',
        body: html`${groupEndpoints(document).map(groupList)}`,
      },
      { id: 'descriptions', title: 'For programs and language models', body: DESCRIPTIONS },
    ],
  }
}

const DESCRIPTIONS = html`<ul>
<li><a href="/openapi.json">/openapi.json</a>: the API as an OpenAPI 3.1 document. Generators make
clients and types from it.</li>
<li><a href="/llms-full.txt">/llms-full.txt</a>: all operations, objects and errors in one text for
a language model.</li>
<li><a href="/llms.txt">/llms.txt</a>: a table of contents of this documentation, with links.</li>
</ul>`

function authentication(document: OpenApiDocument, server: string): Html {
  const code = `export HANDBILL_API_KEY=sm_…

curl ${server}/account \\
  -H "Authorization: Bearer $HANDBILL_API_KEY"`
  return html`<p>Send an API key with every request:
<code>Authorization: Bearer sm_…</code>. A missing, mistyped or revoked key is answered with
<code>401</code>. A page of another account is answered with <code>404</code>, as if it did not
exist.</p>
${authenticationTexts(document).map(renderMarkdown)}
<p>The examples take the key from the environment. Those in JavaScript run in Node.js, Bun and Deno,
those in Python need <code>pip install requests</code>. Replace the words in capitals, such as
<code>ID</code>.</p>
${codeBlock({ language: 'shell', code })}`
}

function groupList({ name, endpoints }: EndpointGroup): Html {
  return html`<h3><a href="${groupPath(name)}">${name}</a></h3>
<ul class="operations">${endpoints.map(
    (endpoint) => html`
<li><a href="${operationAddress(endpoint)}">${titleOf(endpoint)}</a>
<code><span class="method ${endpoint.method}">${endpoint.method.toUpperCase()}</span> ${
      endpoint.path
    }</code></li>`,
  )}
</ul>`
}
