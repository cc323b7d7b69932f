import { type Html, html } from '../../../../model/html.ts'
import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { operationAddress } from '../api/addresses.ts'
import { requestSamples } from '../examples/index.ts'
import { responseExample } from '../examples/schema-example.ts'
import { codeBlock, type Sample, samples } from '../markup/code.ts'
import type { DocsPage, Section } from '../markup/page.ts'
import { type Endpoint, groupEndpoints } from '../openapi/document.ts'

export interface StartOptions {
  baseUrl: string
  /** The address of the API. */
  server: string
}

/** The first page of the documentation: from an API key to a page that is changed and answered. */
export function startPage(document: OpenApiDocument, options: StartOptions): DocsPage {
  const endpoints = groupEndpoints(document).flatMap((group) => group.endpoints)
  const named = (name: string) => endpoints.find(({ id }) => id === name)
  const [create, edit, responses] = ['createPage', 'editHtml', 'listResponses'].map(named)
  return {
    path: '/docs',
    title: 'Start here',
    lead: html`Publish HTML pages, decks, PDFs and images at links you control, and read what
viewers answer. It takes a key and one request.`,
    sections: [
      keySection(),
      ...(create ? [publishSection(document, create, options)] : []),
      ...(edit ? [changeSection(document, edit, options)] : []),
      ...(responses ? [answersSection(document, responses, options)] : []),
      nextSection(),
    ],
  }
}

function keySection(): Section {
  return {
    id: 'key',
    title: '1. Make an API key',
    body: html`<p><a href="/app/developer">Sign in and make a key</a>; or, where the server runs,
<code>bin/handbill key create you@example.com</code>. Keep it in the environment: the examples here,
the command line and agents take it from there.</p>
${codeBlock({ language: 'shell', code: 'export HANDBILL_API_KEY=sm_…' })}`,
  }
}

function publishSection(
  document: OpenApiDocument,
  create: Endpoint,
  { baseUrl, server }: StartOptions,
): Section {
  return {
    id: 'publish',
    title: '2. Publish a page',
    body: html`${samples('publish', [
      ...requestSamples(document, create, server),
      ...toolSamples(baseUrl),
    ])}
<p>The answer is the page, with these members and all its settings. Its <code>url</code> is
live: send it to somebody. Store the <code>id</code>, to change the same page later.</p>
${codeBlock({ language: 'json', code: shortAnswer(document, create) }, { title: 'Answer' })}
<p>In place of <code>html</code>, a page can come from an address, several files or a PDF:
<a href="/docs/guide#content">Content</a>. Who may open it is a setting:
<a href="/docs/guide#access-and-settings">Access and settings</a>.</p>`,
  }
}

const SHOWN_MEMBERS = ['id', 'url', 'title', 'access', 'is_published']

/** The answer with the members that a beginner needs first. */
function shortAnswer(document: OpenApiDocument, { operation }: Endpoint): string {
  const answer = JSON.parse(responseExample(document, operation) ?? '{}') as { data?: object }
  const members = Object.entries(answer.data ?? {})
  const shown = members.filter(([name]) => SHOWN_MEMBERS.includes(name))
  return JSON.stringify({ data: Object.fromEntries(shown) }, null, 2)
}

function toolSamples(baseUrl: string): Sample[] {
  const login = `echo "$HANDBILL_API_KEY" | handbill login ${baseUrl} --key -`
  const agent = `claude mcp add --transport http handbill ${baseUrl}/mcp \\
  --header "Authorization: Bearer $HANDBILL_API_KEY"

# Then ask: "Publish hello.html and give me the link."`
  return [
    { language: 'cli', code: `${login}\nhandbill publish hello.html` },
    { language: 'mcp', code: agent },
  ]
}

function changeSection(
  document: OpenApiDocument,
  edit: Endpoint,
  { server }: StartOptions,
): Section {
  const cli = 'handbill edit hello.html --find Hello --replace "Good day" --publish'
  return {
    id: 'change',
    title: '3. Change it',
    body: html`<p>The link stays the same. An edit changes the draft; visitors see it once it is
published, with <code>"publish": true</code> here or in a request of its own.</p>
${samples('change', [...requestSamples(document, edit, server), { language: 'cli', code: cli }])}
<p>More: <a href="${operationAddress(edit)}">Editing HTML</a>,
<a href="/docs/guide#drafts-and-publishing">Drafts and publishing</a>.</p>`,
  }
}

const FORM = `<form data-service data-success="Thank you.">
  <label>Name <input name="name" required></label>
  <button>Send</button>
</form>`

function answersSection(
  document: OpenApiDocument,
  responses: Endpoint,
  { server }: StartOptions,
): Section {
  const cli = 'handbill responses hello.html --csv > responses.csv'
  return {
    id: 'answers',
    title: '4. Read what viewers answer',
    body: html`<p>A form with <code>data-service</code> collects answers. It needs no address,
no key and no script.</p>
${codeBlock({ language: 'html', code: FORM })}
<p>Read them as JSON with a summary, or as CSV:</p>
${samples('answers', [
  ...requestSamples(document, responses, server),
  { language: 'cli', code: cli },
])}
<p>More: <a href="/docs/forms">Forms and responses</a>.</p>`,
  }
}

function nextSection(): Section {
  return { id: 'next', title: 'Where next', body: NEXT }
}

const NEXT: Html = html`<ul class="next">
<li><a href="/docs/guide">How pages work</a> Drafts, content, access, limits.</li>
<li><a href="/docs/cli">The command line</a> Publish files and folders from a shell.</li>
<li><a href="/docs/mcp">Agents</a> Connect Claude, Cursor and others over MCP.</li>
<li><a href="/docs/api">The API</a> Every operation, with examples to copy.</li>
<li><a href="/docs/errors">Errors</a> What each code means, and what to do.</li>
<li><a href="/docs/configuration">Configuration</a> Run a server of your own.</li>
</ul>`
