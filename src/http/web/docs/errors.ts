import { type Html, html } from '../../../model/html.ts'
import type { DescribedError, OpenApiDocument } from '../../kit/openapi-document.ts'
import type { OperationObject } from './document.ts'
import { renderInline } from './markdown.ts'

export function errorAnchor(code: string): string {
  return `error-${code}`
}

interface ErrorList {
  where: DescribedError['where']
  title: string
  text: string
}

const ERROR_LISTS: ErrorList[] = [
  { where: 'everywhere', title: 'Of any request', text: 'Any request can get these.' },
  {
    where: 'operations',
    title: 'Of some operations',
    text: 'Each operation below names its own.',
  },
  {
    where: 'forms',
    title: 'Of a page’s own form',
    text: 'The `code` that `Service.submit` rejects with, beside `offline` and `failed`.',
  },
]

/** Lists each code with its status, its meaning and its cure. */
export function errorLists(document: OpenApiDocument): Html {
  const all = document['x-errors'] ?? []
  return html`${ERROR_LISTS.map(({ where, title, text }) => {
    const errors = all.filter((error) => error.where === where)
    return (
      errors.length > 0 &&
      html`<h3>${title}</h3>
<p>${renderInline(text)}</p>
<dl class="errors">${errors.map((error) => errorEntry(error, all.indexOf(error)))}</dl>
`
    )
  })}`

  /** A code can be in two lists. Only its first entry gets the anchor. */
  function errorEntry({ code, status, meaning, cure }: DescribedError, index: number): Html {
    const isFirst = all.findIndex((other) => other.code === code) === index
    const name = isFirst ? html`<a href="#${errorAnchor(code)}">${code}</a>` : code
    return html`<div${isFirst && html` id="${errorAnchor(code)}"`}>
<dt><code class="name">${name}</code> <span class="type">${status}</span></dt>
<dd><p>${renderInline(meaning)}</p><p class="cure">${renderInline(cure)}</p></dd>
</div>
`
  }
}

/** Lists the codes of one operation by status. Each code links to its entry. */
export function operationErrors(
  document: OpenApiDocument,
  operation: OperationObject,
): Html | undefined {
  const codes = operation['x-error-codes'] ?? []
  if (codes.length === 0) return undefined
  const byStatus = Object.groupBy(codes, (code) => String(statusOf(document, code)))
  return html`<h4>Refused with</h4>
<dl class="codes">${Object.entries(byStatus).map(
    ([status, codesOfStatus = []]) => html`<div><dt><code>${status}</code></dt>
<dd>${codesOfStatus.map(linkTo)}</dd></div>
`,
  )}</dl>
`
}

function linkTo(code: string): Html {
  return html`<a href="#${errorAnchor(code)}"><code>${code}</code></a> `
}

function statusOf(document: OpenApiDocument, code: string): number {
  return document['x-errors']?.find((error) => error.code === code)?.status ?? 400
}
