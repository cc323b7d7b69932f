import type { Assets } from '../kit/assets.ts'
import { type Html, html } from '../kit/html.ts'
import type { Group, OpenApiDocument, Schema } from './reference/document.ts'
import { anchorOf, groupsOf, resolve } from './reference/document.ts'
import { errorLists } from './reference/errors.ts'
import { curlOf } from './reference/example.ts'
import { operationSection, titleOf } from './reference/operation.ts'
import { type Chapter, chaptersOf, prose } from './reference/prose.ts'
import { membersOf, schemaAnchor, typeOf } from './reference/schema.ts'

export type { OpenApiDocument } from './reference/document.ts'

export interface DocsOptions {
  nonce: string
  assets: Assets
  baseUrl: string
}

/** The reference as one page to read and to search, drawn here: it needs no script. */
export function docsPage(
  document: OpenApiDocument,
  { nonce, assets, baseUrl }: DocsOptions,
): string {
  const groups = groupsOf(document)
  const server = document.servers?.[0]?.url ?? baseUrl
  const { intro, chapters } = chaptersOf(document.info.description)
  const index = indexOf(groups, chapters, document)
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
${prose(intro)}
<p>The same for programs: <a href="/openapi.json">OpenAPI</a>. The same for language models:
<a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>.</p>
</header>
${authentication(document, server)}
${chapters.map(
  ({ id, title, body }) => html`<section id="${id}">
<h2>${title}</h2>
${prose(body)}
</section>
`,
)}
${groups.map((group) => groupSection(document, group, server))}
${objects(document)}
${errors(document)}
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

function indexOf(groups: Group[], chapters: Chapter[], document: OpenApiDocument): Html {
  const objects = Object.keys(document.components?.schemas ?? {})
  const link = (anchor: string, name: string) => html`<li><a href="#${anchor}">${name}</a></li>\n`
  return html`<ul>
${link('authentication', 'Authentication')}
${chapters.map(({ id, title }) => link(id, title))}
${link('errors', 'Errors')}</ul>
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
  const operations = groupsOf(document).flatMap((group) => group.operations)
  const first = operations.find(({ method, path }) => method === 'post' && !path.includes('{'))
  const lines = [
    'export HANDBILL_API_KEY=sm_…',
    ...(first ? [curlOf(document, first, server)] : []),
  ]
  const described = schemes.map((scheme) => (scheme as { description?: string }).description)
  return html`<section id="authentication">
<h2>Authentication</h2>
<p>Every request bears a key: <code>Authorization: Bearer sm_…</code>. A missing, mistyped or
revoked key is answered with <code>401</code>. What belongs to another account is <code>404</code>:
whether it exists is not told.</p>
${described.map((text) => prose(text))}
<p>The examples take the key from the environment. Paste this to publish a first page:</p>
<pre tabindex="0"><code>${lines.join('\n\n')}</code></pre>
</section>
`
}

const REFUSAL = '{ "error": { "code": "duplicate_title", "message": "…", "param": "title" } }'

function errors(document: OpenApiDocument): Html {
  const schema = resolve(document, document.components?.schemas?.Error ?? {}) as Schema
  return html`<section id="errors">
<h2>Errors</h2>
<p>A refusal has a status, a code that stays the same for programs, and a message for people that
says what to do. Nothing was changed when one is answered.</p>
<pre tabindex="0"><code>${REFUSAL}</code></pre>
${membersOf(schema.properties?.error ?? {}, 'answered')}
${errorLists(document)}
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
