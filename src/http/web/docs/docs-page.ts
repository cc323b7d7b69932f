import { type Html, html } from '../../../model/html.ts'
import type { Assets } from '../../kit/assets.ts'
import type { OpenApiDocument } from '../../kit/openapi-document.ts'
import {
  anchorOf,
  authenticationTexts,
  type EndpointGroup,
  groupEndpoints,
  namedSchemas,
  resolveReference,
  type SchemaObject,
  titleOf,
} from './document.ts'
import { errorLists } from './errors.ts'
import { curlCommand } from './examples.ts'
import { type Chapter, renderMarkdown, splitChapters } from './markdown.ts'
import { operationSection } from './operation-section.ts'
import { memberList, schemaAnchor, typeOf } from './schema.ts'

export interface DocsPageOptions {
  nonce: string
  assets: Assets
  baseUrl: string
}

/** The API reference as one page. It needs no script. */
export function docsPage(
  document: OpenApiDocument,
  { nonce, assets, baseUrl }: DocsPageOptions,
): string {
  const groups = groupEndpoints(document)
  const server = document.servers?.[0]?.url ?? baseUrl
  const { intro, chapters } = splitChapters(document.info.description)
  const contents = tableOfContents(groups, chapters, document)
  const stylesheet = (name: string) =>
    html`<link rel="stylesheet" nonce="${nonce}" href="${assets.url(name)}">`
  return html`<!doctype html>
<html lang="en" data-accent="blue">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} reference</title>
<link rel="icon" href="data:,">
${stylesheet('fonts.css')}
${stylesheet('docs.css')}
</head>
<body>
<a class="skip" href="#start">Skip to the reference</a>
<nav class="side" aria-label="Contents">
<p><a class="wordmark" href="/">Handbill</a></p>
${contents}
</nav>
<main id="start">
<header>
<h1>${document.info.title}</h1>
<details class="menu"><summary>Contents</summary>${contents}</details>
${renderMarkdown(intro)}
<p>The same for programs: <a href="/openapi.json">OpenAPI</a>. The same for language models:
<a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>.</p>
</header>
${authenticationSection(document, server)}
${chapters.map(
  ({ id, title, body }) => html`<section id="${id}">
<h2>${title}</h2>
${renderMarkdown(body)}
</section>
`,
)}
${groups.map((group) => groupSection(document, group, server))}
${objectsSection(document)}
${errorsSection(document)}
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

function tableOfContents(
  groups: EndpointGroup[],
  chapters: Chapter[],
  document: OpenApiDocument,
): Html {
  const objects = namedSchemas(document)
  const link = (anchor: string, name: string) => html`<li><a href="#${anchor}">${name}</a></li>\n`
  return html`<ul>
${link('authentication', 'Authentication')}
${chapters.map(({ id, title }) => link(id, title))}
${link('errors', 'Errors')}</ul>
${groups.map(
  ({ name, endpoints }) => html`<h2><a href="#${anchorOf(name)}">${name}</a></h2>
<ul>${endpoints.map((endpoint) => link(endpoint.id, firstClause(titleOf(endpoint))))}</ul>`,
)}
${
  objects.length > 0 &&
  html`<h2><a href="#objects">Objects</a></h2>
<ul>${objects.map(([name]) => link(schemaAnchor(name), name))}</ul>`
}`
}

function firstClause(title: string): string {
  return title.replace(/[,;:(].*$/, '').trim()
}

function authenticationSection(document: OpenApiDocument, server: string): Html {
  const endpoints = groupEndpoints(document).flatMap((group) => group.endpoints)
  const create = endpoints.find(({ method, path }) => method === 'post' && !path.includes('{'))
  const commands = [
    'export HANDBILL_API_KEY=sm_…',
    ...(create ? [curlCommand(document, create, server)] : []),
  ]
  return html`<section id="authentication">
<h2>Authentication</h2>
<p>Send an API key with every request: <code>Authorization: Bearer sm_…</code>. A missing, mistyped
or revoked key is answered with <code>401</code>. A page of another account is answered with
<code>404</code>, as if it did not exist.</p>
${authenticationTexts(document).map(renderMarkdown)}
<p>The examples take the key from the environment. Paste this to publish a first page:</p>
<pre tabindex="0"><code>${commands.join('\n\n')}</code></pre>
</section>
`
}

const ERROR_EXAMPLE = '{ "error": { "code": "duplicate_title", "message": "…", "param": "title" } }'

function errorsSection(document: OpenApiDocument): Html {
  const reference = (document.components?.schemas?.Error ?? {}) as SchemaObject
  const schema = resolveReference(document, reference)
  return html`<section id="errors">
<h2>Errors</h2>
<p>An error has a status, a stable code for programs, and a message for people that says what to do.
A request that is answered with an error changed nothing.</p>
<pre tabindex="0"><code>${ERROR_EXAMPLE}</code></pre>
${memberList(schema.properties?.error ?? {}, 'response')}
${errorLists(document)}
</section>
`
}

function groupSection(document: OpenApiDocument, group: EndpointGroup, server: string): Html {
  return html`<section id="${anchorOf(group.name)}">
<h2>${group.name}</h2>
${renderMarkdown(group.description)}
${group.endpoints.map((endpoint) => operationSection(document, endpoint, server))}
</section>
`
}

function objectsSection(document: OpenApiDocument): Html | undefined {
  const schemas = namedSchemas(document)
  if (schemas.length === 0) return undefined
  return html`<section id="objects">
<h2>Objects</h2>
${schemas.map(
  ([name, schema]) => html`<section class="object" id="${schemaAnchor(name)}">
<h3><a href="#${schemaAnchor(name)}">${name}</a></h3>
${renderMarkdown(schema.description)}
${memberList(schema, 'response') ?? html`<p>${typeOf(schema)}</p>`}
</section>
`,
)}
</section>
`
}
