import { type Html, html } from '../../src/model/html.ts'
import { responseExample } from './examples.ts'
import {
  codeBlock,
  type DocsPage,
  renderInline,
  renderMarkdown,
  type Section,
  samples,
  splitChapters,
} from './markup.ts'
import {
  authenticationTexts,
  bodyOf,
  type DescribedError,
  type Endpoint,
  type EndpointGroup,
  ERRORS_PATH,
  errorAddress,
  errorAnchor,
  groupEndpoints,
  groupPath,
  MCP_PATH,
  namedSchemas,
  OBJECTS_PATH,
  type OpenApiDocument,
  type OperationObject,
  operationAddress,
  type SchemaObject,
  schemaAnchor,
  scopesOf,
  sessionServerOf,
  successOf,
  titleOf,
  toolAnchor,
} from './openapi.ts'
import { API_URL, requestSamples } from './samples.ts'
import { join, memberEntry, memberList, typeOf } from './schema.ts'

/** Authentication, what all requests have in common, and a list of the operations. */
export function overviewPage(document: OpenApiDocument): DocsPage {
  const { intro } = splitChapters(document.info.description)
  return {
    path: '/docs/api',
    title: 'The API',
    lead: html`${document.info.summary}`,
    sections: [
      { id: 'authentication', title: 'Authentication', body: authentication(document) },
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

function authentication(document: OpenApiDocument): Html {
  const code = `export HANDBILL_API_KEY=sm_…

curl ${API_URL}/account \\
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

/** The reference of the operations with one tag. */
export function groupPage(document: OpenApiDocument, group: EndpointGroup): DocsPage {
  return {
    path: groupPath(group.name),
    title: group.name,
    lead: renderInline(group.description),
    sections: group.endpoints.map((endpoint) => operationSection(document, endpoint)),
    isWide: true,
  }
}

export function objectsPage(document: OpenApiDocument): DocsPage {
  return {
    path: OBJECTS_PATH,
    title: 'Objects',
    lead: html`What answers contain. An answer always has all members of an object.`,
    // The page of errors describes theirs, which has members that are not always there.
    sections: namedSchemas(document)
      .filter(([name]) => name !== 'Error')
      .map(([name, schema]) => ({
        id: schemaAnchor(name),
        title: name,
        body: html`${renderMarkdown(schema.description)}
${objectMembers(document, name, schema)}`,
      })),
  }
}

/** The members of an object; of one that is named after another, such as `ListedPage`, the others. */
function objectMembers(document: OpenApiDocument, name: string, schema: SchemaObject): Html {
  const { properties = {} } = schema
  const base = namedSchemas(document).find(([other]) => other !== name && name.endsWith(other))
  const inherited = base?.[1].properties ?? {}
  const isSame = (member: string) =>
    JSON.stringify(inherited[member]) === JSON.stringify(properties[member])
  const missing = Object.keys(inherited).filter((member) => !(member in properties))
  const [same = [], own = []] = [true, false].map((is) =>
    Object.entries(properties).filter(([member]) => isSame(member) === is),
  )
  if (base === undefined || same.length < MOST_REPEATED) {
    return memberList(schema, 'response') ?? html`<p>${typeOf(schema)}</p>`
  }
  const without = join(missing.map(codeOf))
  return html`<p>Has the members of ${typeOf({ $ref: base[0] })}${missing.length > 0 && html` without ${without}`}${own.length > 0 && ', and these'}.</p>
${memberList({ ...schema, properties: Object.fromEntries(own) }, 'response')}`
}

function codeOf(name: string): Html {
  return html`<code>${name}</code>`
}

/** An object that has more members of another than these leads to them. */
const MOST_REPEATED = 6

const PARAMETER_HEADINGS = {
  path: 'In the path',
  query: 'In the query',
  header: 'Headers',
}

/** The section of one operation: a description, examples, parameters, body, answer and errors. */
function operationSection(document: OpenApiDocument, endpoint: Endpoint): Section {
  const { id, method, path, operation } = endpoint
  const body = html`<div class="head">
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${breakableAtSlashes(path)}</code></p>
${renderMarkdown(operation.description)}
</div>
<div class="example">
${requestBlock(document, endpoint)}
${answerBlock(document, operation)}
</div>
<div class="details">
${parameterLists(operation)}
${bodySection(operation)}
${responseSection(operation)}
${errorList(document, operation)}
${toolList(operation)}
</div>`
  return { id, title: titleOf(endpoint), body, className: 'operation' }
}

/** Examples of the request. No program can send one that takes a session. */
function requestBlock(document: OpenApiDocument, endpoint: Endpoint): Html {
  const sessionServer = sessionServerOf(endpoint.operation)
  if (sessionServer === null) {
    const scopes = scopesOf(endpoint.operation)
    return html`${samples(endpoint.id, requestSamples(document, endpoint))}
${scopes.length > 0 && html`<p class="scopes">Needs a key with ${join(scopes.map(codeOf))}.</p>`}`
  }
  return html`<p>Takes no API key: only the app calls it, for a signed-in account, below
<code>${sessionServer}</code>.</p>`
}

function answerBlock(document: OpenApiDocument, operation: OperationObject): Html | undefined {
  const code = responseExample(document, operation)
  if (code === undefined) return undefined
  return codeBlock({ language: 'json', code }, { title: 'Answer', isLong: true })
}

/** Lists the codes of one operation by status. Each code links to its entry. */
function errorList(document: OpenApiDocument, operation: OperationObject): Html | undefined {
  const codes = operation['x-error-codes'] ?? []
  if (codes.length === 0) return undefined
  const statuses = new Map(document['x-errors'].map(({ code, status }) => [code, status]))
  const byStatus = Object.groupBy(codes, (code) => String(statuses.get(code) ?? 400))
  return html`<h3>Refused with</h3>
<dl class="codes">${Object.entries(byStatus).map(
    ([status, codesOfStatus = []]) => html`<div><dt><code>${status}</code></dt>
<dd>${codesOfStatus.map(
      (code) => html`<a href="${errorAddress(code)}"><code>${code}</code></a> `,
    )}</dd></div>
`,
  )}</dl>
`
}

function toolList(operation: OperationObject): Html | undefined {
  const tools = operation['x-mcp-tools'] ?? []
  if (tools.length === 0) return undefined
  const names = tools.map(
    (tool) => html`<a href="${MCP_PATH}#${toolAnchor(tool)}"><code>${tool}</code></a>`,
  )
  return html`<h3>MCP ${tools.length === 1 ? 'tool' : 'tools'}</h3>
<p>${join(names)}</p>`
}

/** Allows line breaks in a path after slashes only. */
function breakableAtSlashes(path: string): Html {
  const [first, ...others] = path.split(/(?<=\/)/)
  return html`${first}${others.map((part) => html`<wbr>${part}`)}`
}

function parameterLists({ parameters = [] }: OperationObject): Html {
  return html`${Object.entries(PARAMETER_HEADINGS).map(([place, heading]) => {
    const here = parameters.filter((parameter) => parameter.in === place)
    return (
      here.length > 0 &&
      html`<h3>${heading}</h3>
<dl class="members">${here.map(({ name, schema, required, description }) => {
        const isRequired = required === true && place !== 'path'
        return memberEntry({ name, schema, isRequired, direction: 'request', description })
      })}</dl>`
    )
  })}`
}

function bodySection(operation: OperationObject): Html | false {
  const body = bodyOf(operation)
  if (body === null) return false
  const { type, schema } = body
  return html`<h3>Body</h3>
${type !== 'application/json' && html`<p>${typeOf(schema)}, as <code>${type}</code>.</p>`}
${memberList(schema, 'request')}`
}

/** The successful answer. `errorList` lists the others. */
function responseSection(operation: OperationObject): Html {
  const { status, description, content } = successOf(operation)
  const types = Object.keys(content).filter((type) => /^(?!\*|.*json$)/.test(type))
  return html`<h3>Answer</h3>
<p><code>${status}</code> ${renderInline(description)}
${types.map((type) => html`Or a file, as <code>${type}</code>.`)}</p>
${memberList(content['application/json']?.schema ?? {}, 'response')}`
}

const ERROR_LISTS = [
  { where: 'everywhere', title: 'Errors of any request', text: 'Any request can get these.' },
  {
    where: 'operations',
    title: 'Errors of some operations',
    text: 'The reference of each operation names its own.',
  },
  {
    where: 'forms',
    title: 'Errors of a page’s own form',
    text: 'The `code` that `Service.submit` rejects with, beside `files`, `offline` and `failed`.',
  },
]

const EXAMPLE = `{
  "error": {
    "code": "duplicate_title",
    "message": "…",
    "param": "title"
  }
}`

/** Lists each error code with its status, its meaning and its cure. */
export function errorsPage(document: OpenApiDocument): DocsPage {
  const shape: Section = { id: 'shape', title: 'What an error looks like', body: shapeOf(document) }
  return {
    path: ERRORS_PATH,
    title: 'Errors',
    lead: html`An error has a status, a stable code for programs, and a message for people that says
what to do. A request that is answered with an error changed nothing.`,
    sections: [shape, ...errorLists(document)],
  }
}

function shapeOf(document: OpenApiDocument): Html {
  const schema = (document.components.schemas.Error ?? {}) as SchemaObject
  return html`${codeBlock({ language: 'json', code: EXAMPLE })}
${memberList(schema.properties?.error ?? {}, 'response')}`
}

function errorLists(document: OpenApiDocument): Section[] {
  const all = document['x-errors']
  return ERROR_LISTS.map(({ where, title, text }) => {
    const errors = all.filter((error) => error.where === where)
    // A code can be in two lists. Only its first entry gets the anchor.
    const own = errors.filter((error) => all.find(({ code }) => code === error.code) === error)
    return {
      id: `errors-${where}`,
      title,
      searchText: text.replaceAll('`', ''),
      body: html`<p>${renderInline(text)}</p>
<dl class="errors">${errors.map((error) => errorEntry(error, own.includes(error)))}</dl>`,
      entries: own.map(({ code, status, meaning, cure }) => ({
        id: errorAnchor(code),
        title: code,
        text: `${status}. ${meaning} ${cure}`.replaceAll('`', ''),
      })),
    }
  })
}

function errorEntry({ code, status, meaning, cure }: DescribedError, hasAnchor: boolean): Html {
  const name = hasAnchor ? html`<a href="#${errorAnchor(code)}">${code}</a>` : code
  return html`<div${hasAnchor && html` id="${errorAnchor(code)}"`}>
<dt><code class="name">${name}</code> <span class="type">${status}</span></dt>
<dd><p>${renderInline(meaning)}</p><p class="cure">${renderInline(cure)}</p></dd>
</div>
`
}
