import { type Html, html } from '../html.ts'
import type { Assets } from './assets.ts'
import type { Group, OpenApiDocument, Schema } from './reference/document.ts'
import { anchorOf, groupsOf, resolve } from './reference/document.ts'
import { operationSection, titleOf } from './reference/operation.ts'
import { prose } from './reference/prose.ts'
import { membersOf, schemaAnchor, typeOf } from './reference/schema.ts'

export type { OpenApiDocument } from './reference/document.ts'

export interface DocsOptions {
  nonce: string
  assets: Assets
  base_url: string
}

/** The reference as one page to read and to search, drawn here: it needs no script. */
export function docsPage(
  document: OpenApiDocument,
  { nonce, assets, base_url }: DocsOptions,
): string {
  const groups = groupsOf(document)
  const server = document.servers?.[0]?.url ?? base_url
  const index = indexOf(groups, document)
  const sheet = (name: string) =>
    html`<link rel="stylesheet" nonce="${nonce}" href="${assets.url(name)}">`
  return html`<!doctype html>
<html lang="en" data-accent="blue">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} reference</title>
<link rel="icon" href="data:,">
${sheet('fonts.css')}
${sheet('docs.css')}
</head>
<body>
<a class="skip" href="#start">Skip to the reference</a>
<nav class="side" aria-label="Contents">
<p><a class="wordmark" href="/">Handbill</a></p>
${index}
</nav>
<main id="start">
<header>
<h1>${document.info.title}</h1>
<details class="menu"><summary>Contents</summary>${index}</details>
${prose(document.info.description)}
<p>Everything here as an <a href="/openapi.json">OpenAPI document</a>, for programs.</p>
</header>
${authentication(document, server)}
${errors(document)}
${groups.map((group) => groupSection(document, group, server))}
${objects(document)}
</main>
</body>
</html>
`.toString()
}

export function docsCsp(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "font-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function indexOf(groups: Group[], document: OpenApiDocument): Html {
  const objects = Object.keys(document.components?.schemas ?? {})
  const link = (anchor: string, name: string) => html`<li><a href="#${anchor}">${name}</a></li>\n`
  return html`<ul>
${link('authentication', 'Authentication')}${link('errors', 'Errors')}</ul>
${groups.map(
  ({ name, operations }) => html`<h2><a href="#${anchorOf(name)}">${name}</a></h2>
<ul>${operations.map((placed) => link(placed.id, shortOf(titleOf(placed))))}</ul>`,
)}
${
  objects.length > 0 &&
  html`<h2><a href="#objects">Objects</a></h2>
<ul>${objects.map((name) => link(schemaAnchor(name), name))}</ul>`
}`
}

/** A title as an entry: its first clause. */
function shortOf(title: string): string {
  return title.replace(/[,;:(].*$/, '').trim()
}

function authentication(document: OpenApiDocument, server: string): Html {
  const schemes = Object.values(document.components?.securitySchemes ?? {})
  const described = schemes.map((scheme) => (scheme as { description?: string }).description)
  return html`<section id="authentication">
<h2>Authentication</h2>
<p>Every request bears a key: <code>Authorization: Bearer sm_…</code>. A missing, mistyped or
revoked key is answered with <code>401</code>. What belongs to another account is <code>404</code>:
whether it exists is not told.</p>
${described.map((text) => prose(text))}
<p>The examples take the key from the environment, and begin at <code>${server}</code>.</p>
<pre tabindex="0"><code>export HANDBILL_API_KEY=sm_…</code></pre>
</section>
`
}

const STATUSES: [status: string, meaning: string][] = [
  ['400', 'A parameter is unknown, ill-typed or contradicts another; `param` names it.'],
  ['401', 'The key is missing, mistyped or revoked.'],
  ['402', 'The plan does not include this; `plan` names one that does.'],
  ['404', 'There is no such thing in this account.'],
  ['409', 'It collides with what is there: a title, a slug, a write in between.'],
  ['412', 'The page has changed since the `If-Match` was read.'],
  ['413', 'Too large for the plan, or for a request body.'],
  ['415', 'The body is not of a type this takes.'],
  ['422', 'The edits could not be applied; nothing was changed.'],
  ['429', 'Too many requests; `Retry-After` says how many seconds to wait.'],
  ['500', 'A fault of this server; the request id finds it in the log.'],
]

const REFUSAL = '{ "error": { "code": "duplicate_title", "message": "…", "param": "title" } }'

function errors(document: OpenApiDocument): Html {
  const schema = resolve(document, document.components?.schemas?.Error ?? {}) as Schema
  return html`<section id="errors">
<h2>Errors</h2>
<p>A refusal has a status, a code that stays the same for programs, and a message for people that
says what to do. Nothing was changed when one is answered.</p>
<pre tabindex="0"><code>${REFUSAL}</code></pre>
${membersOf(schema.properties?.error ?? {}, 'answered')}
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${STATUSES.map(
    ([status, meaning]) =>
      html`<tr><td><code>${status}</code></td><td>${prose(meaning)}</td></tr>\n`,
  )}</tbody>
</table>
</section>
`
}

function groupSection(document: OpenApiDocument, group: Group, server: string): Html {
  return html`<section id="${anchorOf(group.name)}">
<h2>${group.name}</h2>
${prose(group.description)}
${group.operations.map((placed) => operationSection(document, placed, server))}
</section>
`
}

function objects(document: OpenApiDocument): Html | undefined {
  const schemas = Object.entries(document.components?.schemas ?? {}) as [string, Schema][]
  if (schemas.length === 0) return undefined
  return html`<section id="objects">
<h2>Objects</h2>
${schemas.map(
  ([name, schema]) => html`<section class="object" id="${schemaAnchor(name)}">
<h3><a href="#${schemaAnchor(name)}">${name}</a></h3>
${prose(schema.description)}
${membersOf(schema, 'answered') ?? html`<p>${typeOf(schema)}</p>`}
</section>
`,
)}
</section>
`
}
