import { type Html, html } from '../../../model/html.ts'
import type { OpenApiDocument } from '../../kit/openapi-document.ts'
import {
  type Endpoint,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  resolveReference,
  titleOf,
} from './document.ts'
import { operationErrors } from './errors.ts'
import { curlCommand, responseExample } from './examples.ts'
import { renderInline, renderMarkdown } from './markdown.ts'
import { memberEntry, memberList, typeOf } from './schema.ts'

const PARAMETER_HEADINGS = {
  path: 'In the path',
  query: 'In the query',
  header: 'Headers',
  cookie: 'Cookies',
}

/** The section of one operation: a description, examples, parameters, body, answer and errors. */
export function operationSection(
  document: OpenApiDocument,
  endpoint: Endpoint,
  server: string,
): Html {
  const { id, method, path, operation } = endpoint
  return html`<section class="operation" id="${id}">
<div class="head">
<h3><a href="#${id}">${titleOf(endpoint)}</a></h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${breakableAtSlashes(path)}</code></p>
${renderMarkdown(operation.description)}
</div>
<div class="example">
${exampleFigure('Request', curlCommand(document, endpoint, server))}
${exampleFigure('Answer', responseExample(document, operation))}
</div>
<div class="details">
${parameterLists(document, operation)}
${bodySection(document, operation)}
${responseSection(document, operation)}
${operationErrors(document, operation)}
${toolList(operation)}
</div>
</section>
`
}

function exampleFigure(title: string, code: string | undefined): Html | undefined {
  if (code === undefined) return undefined
  return html`<figure><figcaption>${title}</figcaption>
<pre tabindex="0"><code>${code}</code></pre></figure>`
}

function toolList(operation: OperationObject): Html | undefined {
  const tools = operation['x-mcp-tools'] ?? []
  if (tools.length === 0) return undefined
  const names = tools.map((tool, index) => html`${index > 0 && ', '}<code>${tool}</code>`)
  return html`<h4>MCP ${tools.length === 1 ? 'tool' : 'tools'}</h4>
<p>${names}</p>`
}

/** Allows line breaks in a path after slashes only. */
function breakableAtSlashes(path: string): Html {
  const [first, ...others] = path.split(/(?<=\/)/)
  return html`${first}${others.map((part) => html`<wbr>${part}`)}`
}

function parameterLists(document: OpenApiDocument, { parameters = [] }: OperationObject): Html {
  const all = parameters.map((parameter) => resolveReference(document, parameter))
  const places = Object.keys(PARAMETER_HEADINGS) as ParameterObject['in'][]
  return html`${places.map((place) => {
    const here = all.filter((parameter) => parameter.in === place)
    return (
      here.length > 0 &&
      html`<h4>${PARAMETER_HEADINGS[place]}</h4>
<dl class="members">${here.map((parameter) =>
        memberEntry({
          name: parameter.name,
          schema: parameter.schema ?? {},
          isRequired: parameter.required === true && place !== 'path',
          direction: 'request',
          description: parameter.description,
        }),
      )}</dl>`
    )
  })}`
}

function bodySection(
  document: OpenApiDocument,
  { requestBody }: OperationObject,
): Html | undefined {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined) return undefined
  const schema = resolveReference(document, media?.schema ?? {})
  return html`<h4>Body</h4>
${type !== 'application/json' && html`<p>${typeOf(schema)}, as <code>${type}</code>.</p>`}
${renderMarkdown(requestBody?.description)}
${memberList(schema, 'request')}`
}

/** The successful answers. `operationErrors` lists the others. */
function responseSection(document: OpenApiDocument, { responses = {} }: OperationObject): Html {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return html`${answers.length > 0 && html`<h4>Answer</h4>`}
${answers.map(([status, answer]) => responseEntry(document, status, answer))}`
}

function responseEntry(document: OpenApiDocument, status: string, reference: ResponseObject): Html {
  const answer = resolveReference(document, reference)
  const types = Object.keys(answer.content ?? {}).filter((type) => type !== 'application/json')
  const schema = resolveReference(document, answer.content?.['application/json']?.schema ?? {})
  return html`<p><code>${status}</code> ${renderInline(answer.description ?? '')}
${types.map((type) => html`Or a file, as <code>${type}</code>.`)}</p>
${memberList(schema, 'response')}`
}
