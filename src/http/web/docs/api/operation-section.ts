import { type Html, html } from '../../../../model/html.ts'
import type { OpenApiDocument } from '../../../kit/openapi-document.ts'
import { requestSamples } from '../examples/index.ts'
import { responseExample } from '../examples/schema-example.ts'
import { codeBlock, samples } from '../markup/code.ts'
import { renderInline, renderMarkdown } from '../markup/markdown.ts'
import type { Section } from '../markup/page.ts'
import {
  type Endpoint,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  resolveReference,
  sessionServerOf,
  titleOf,
} from '../openapi/document.ts'
import { errorAddress, toolAddress } from './addresses.ts'
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
): Section {
  const { id, method, path, operation } = endpoint
  const body = html`<div class="head">
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${breakableAtSlashes(path)}</code></p>
${renderMarkdown(operation.description)}
</div>
<div class="example">
${requestBlock(document, endpoint, server)}
${answerBlock(document, operation)}
</div>
<div class="details">
${parameterLists(document, operation)}
${bodySection(document, operation)}
${responseSection(document, operation)}
${errorList(document, operation)}
${toolList(operation)}
</div>`
  return { id, title: titleOf(endpoint), body, className: 'operation' }
}

/** Examples of the request. No program can send one that takes a session. */
function requestBlock(document: OpenApiDocument, endpoint: Endpoint, server: string): Html {
  const sessionServer = sessionServerOf(endpoint.operation)
  if (sessionServer === null) {
    return samples(endpoint.id, requestSamples(document, endpoint, server))
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
  const statuses = new Map(document['x-errors']?.map(({ code, status }) => [code, status]))
  const byStatus = Object.groupBy(codes, (code) => String(statuses.get(code) ?? 400))
  return html`<h3>Refused with</h3>
<dl class="codes">${Object.entries(byStatus).map(
    ([status, codesOfStatus = []]) => html`<div><dt><code>${status}</code></dt>
<dd>${codesOfStatus.map(errorLink)}</dd></div>
`,
  )}</dl>
`
}

function errorLink(code: string): Html {
  return html`<a href="${errorAddress(code)}"><code>${code}</code></a> `
}

function toolList(operation: OperationObject): Html | undefined {
  const tools = operation['x-mcp-tools'] ?? []
  if (tools.length === 0) return undefined
  const names = tools.map(
    (tool, index) =>
      html`${index > 0 && ', '}<a href="${toolAddress(tool)}"><code>${tool}</code></a>`,
  )
  return html`<h3>MCP ${tools.length === 1 ? 'tool' : 'tools'}</h3>
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
      html`<h3>${PARAMETER_HEADINGS[place]}</h3>
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
  return html`<h3>Body</h3>
${type !== 'application/json' && html`<p>${typeOf(schema)}, as <code>${type}</code>.</p>`}
${renderMarkdown(requestBody?.description)}
${memberList(schema, 'request')}`
}

/** The successful answers. `operationErrors` lists the others. */
function responseSection(document: OpenApiDocument, { responses = {} }: OperationObject): Html {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return html`${answers.length > 0 && html`<h3>Answer</h3>`}
${answers.map(([status, answer]) => responseEntry(document, status, answer))}`
}

function responseEntry(document: OpenApiDocument, status: string, reference: ResponseObject): Html {
  const answer = resolveReference(document, reference)
  const types = Object.keys(answer.content ?? {}).filter((type) => /^(?!\*|.*json$)/.test(type))
  const schema = resolveReference(document, answer.content?.['application/json']?.schema ?? {})
  return html`<p><code>${status}</code> ${renderInline(answer.description ?? '')}
${types.map((type) => html`Or a file, as <code>${type}</code>.`)}</p>
${memberList(schema, 'response')}`
}
