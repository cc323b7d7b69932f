import { type Html, html } from '../../kit/html.ts'
import type { Answer, OpenApiDocument, Operation, Parameter, Placed } from './document.ts'
import { resolve } from './document.ts'
import { refusalsOf } from './errors.ts'
import { answerSample, curlOf } from './example.ts'
import { inline, prose } from './prose.ts'
import { memberOf, membersOf, typeOf } from './schema.ts'

const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers', cookie: 'Cookies' }

export function operationSection(document: OpenApiDocument, placed: Placed, server: string): Html {
  const { id, method, path, operation } = placed
  return html`<section class="operation" id="${id}">
<div class="head">
<h3><a href="#${id}">${titleOf(placed)}</a></h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${breakable(path)}</code></p>
${prose(operation.description)}
</div>
<div class="example">
${example('Request', curlOf(document, placed, server))}
${example('Answer', answerSample(document, operation))}
</div>
<div class="told">
${parametersOf(document, operation)}
${bodyOf(document, operation)}
${answersOf(document, operation)}
${refusalsOf(document, operation)}
${toolsOf(operation)}
</div>
</section>
`
}

function example(title: string, code: string | undefined): Html | undefined {
  if (code === undefined) return undefined
  return html`<figure><figcaption>${title}</figcaption>
<pre tabindex="0"><code>${code}</code></pre></figure>`
}

function toolsOf(operation: Operation): Html | undefined {
  const tools = operation['x-mcp-tools'] ?? []
  if (tools.length === 0) return undefined
  const names = tools.map((tool, index) => html`${index > 0 && ', '}<code>${tool}</code>`)
  return html`<h4>MCP ${tools.length === 1 ? 'tool' : 'tools'}</h4>
<p>${names}</p>`
}

export function titleOf({ operation, path }: Placed): string {
  return (operation.summary ?? operation.operationId ?? path).replace(/\.\s*$/, '')
}

/** A long path may break after a slash and nowhere else. */
export function breakable(path: string): Html {
  const [first, ...others] = path.split(/(?<=\/)/)
  return html`${first}${others.map((part) => html`<wbr>${part}`)}`
}

function parametersOf(document: OpenApiDocument, { parameters = [] }: Operation): Html {
  const all = parameters.map((parameter) => resolve(document, parameter))
  const places = Object.keys(PLACES) as Parameter['in'][]
  return html`${places.map((place) => {
    const here = all.filter((parameter) => parameter.in === place)
    return (
      here.length > 0 &&
      html`<h4>${PLACES[place]}</h4>
<dl class="members">${here.map((parameter) =>
        memberOf({
          name: parameter.name,
          member: parameter.schema ?? {},
          isRequired: parameter.required === true && place !== 'path',
          direction: 'sent',
          description: parameter.description,
        }),
      )}</dl>`
    )
  })}`
}

function bodyOf(document: OpenApiDocument, { requestBody }: Operation): Html | undefined {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined) return undefined
  const schema = resolve(document, media?.schema ?? {})
  return html`<h4>Body</h4>
${type !== 'application/json' && html`<p>${typeOf(schema)}, as <code>${type}</code>.</p>`}
${prose(requestBody?.description)}
${membersOf(schema, 'sent')}`
}

/** What is answered when it is done; refusals are told by their codes. */
function answersOf(document: OpenApiDocument, { responses = {} }: Operation): Html {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return html`${answers.length > 0 && html`<h4>Answer</h4>`}
${answers.map(([status, answer]) => answerOf(document, status, resolve(document, answer)))}`
}

function answerOf(document: OpenApiDocument, status: string, answer: Answer): Html {
  const types = Object.keys(answer.content ?? {}).filter((type) => type !== 'application/json')
  const schema = resolve(document, answer.content?.['application/json']?.schema ?? {})
  return html`<p><code>${status}</code> ${inline(answer.description ?? '')}
${types.map((type) => html`Or a file, as <code>${type}</code>.`)}</p>
${membersOf(schema, 'answered')}`
}
